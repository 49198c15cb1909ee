"""Long answers about home, body and money: `!` what the user asks, `+` sentences, `?` questions on the last."""

TABLE = """
= sourdough
! How do I look after a sourdough starter?
! I got a sourdough starter from a friend. What now?
+ A starter is a living culture of flour, water and wild yeast.
? What is a sourdough starter made of?
+ Feed it [once|twice] a day on the counter, and about once a week if you keep it in the fridge.
? How often should a sourdough starter in the fridge be fed?
+ A simple ratio is one part starter, [two|one|three] parts flour and the same weight of water.
? What ratio was suggested for feeding the starter?
+ It is ready to bake with when it doubles in [four to six|five to eight] hours and a spoonful floats in water.
? How can you tell that a starter is ready for baking?
+ A grey liquid on top is called hooch and only means that the culture is hungry.
? What is the grey liquid on a starter called?
+ Throw it away if you see pink or orange streaks.
? What colours show that a starter has gone bad?
+ Rye flour gives a sluggish culture a boost, because it carries more wild yeast.
? Which flour helps a weak starter?
+ If you go away for a month, dry some of it on baking paper and store the flakes in a jar.
? How can a starter survive a long absence?
= orchid
! My orchid won't flower any more. What can I do?
! How do I care for a moth orchid?
+ Moth orchids like bright light without direct sun, so an east-facing window is ideal.
? Which window is best for an orchid?
+ Water it about every [seven|ten] days by dipping the pot for [ten|fifteen] minutes and letting it drain.
? How should an orchid be watered?
? How often does an orchid need water?
+ Silvery roots tell you that it is thirsty, while green roots have enough water.
? What do silvery roots on an orchid mean?
+ To make it flower again, keep it at about [15|16|17] degrees at night for four weeks.
? What temperature makes an orchid bloom again?
+ Cut the old stem just above the second node from the bottom.
? Where should the old flower stem be cut?
+ Use special orchid bark instead of soil, as the roots need air.
? What should orchids be planted in?
+ Repot it every two years, preferably after flowering.
? How often should an orchid be repotted?
+ Never let water stand in the heart of the leaves, since it causes rot.
= mould
! There's mould in the corner of my bedroom. What should I do?
! How do I get rid of mould on a wall?
+ Small patches can be treated with [70 percent alcohol|hydrogen peroxide], left on for half an hour.
? What can be used against small patches of mould?
+ Vinegar is a bad idea on plaster, because the lime neutralises it and it feeds the mould.
? Why is vinegar a bad choice for mouldy plaster?
+ Wear gloves and a mask, and open the window while you work.
+ Anything larger than [half a|one] square metre should be left to a professional.
? From what size should mould be left to a professional?
+ Keep the humidity below [55|60] percent; a cheap hygrometer will tell you.
? What humidity should a room stay under to avoid mould?
+ Air the room for five to ten minutes several times a day rather than leaving the window tilted.
? How should a room be aired against damp?
+ Move furniture at least [five|ten] centimetres away from outer walls.
? How far should furniture stand from outer walls?
+ As a tenant, tell your landlord in writing and take photographs.
? What should a tenant do about mould?
= sleeptips
! I can't fall asleep at night. Any tips?
! How can I sleep better?
+ Go to bed and get up at the same time every day, even at weekends.
+ Keep the bedroom cool, around [17|18] degrees, and as dark as possible.
? How warm should a bedroom be for good sleep?
+ Avoid caffeine for at least [six|eight] hours before bedtime, since it lingers in the body.
? How long before bed should one stop having caffeine?
+ If you lie awake for more than twenty minutes, get up and do something dull in dim light.
? What should one do after lying awake for twenty minutes?
+ Daylight within an hour of waking sets your inner clock.
? What helps to set the inner clock in the morning?
+ Naps should stay under [twenty|thirty] minutes and end before three in the afternoon.
? How long should a nap be at most?
+ A warm bath an hour or two before bed helps the body to cool down afterwards.
? Why does a warm bath help with sleep?
+ Alcohol makes you drowsy, but it breaks up the second half of the night.
? What does alcohol do to sleep?
= bikechain
! How do I clean my bike chain?
! My bike squeaks. How do I maintain the chain?
+ Clean the chain every [200|300] kilometres, or after each wet ride.
? How often should a bike chain be cleaned?
+ Turn the pedals backwards while you hold a rag with degreaser around the lower run.
+ An old toothbrush gets the dirt out of the sprockets.
? What tool gets dirt out of the sprockets?
+ Let everything dry before you put on new oil, one drop on each roller.
? How much oil goes on a bike chain?
+ Wipe off the excess after [five|ten] minutes, because surplus oil attracts grit.
? Why should excess chain oil be wiped off?
+ Use wax-based lube in dry weather and a thicker wet lube in winter.
? Which lubricant suits a chain in winter?
+ Measure wear with a gauge and replace the chain at [0.5|0.75] percent stretch.
? When should a bike chain be replaced?
+ Never use WD-40 as your only lubricant, as it is mainly a solvent.
? Why is WD-40 not enough for a chain?
= budget
! How do I make a monthly budget?
! I never know where my money goes. Can you help?
+ A common rule is 50/30/20: half for needs, thirty percent for wants, the rest for savings.
? What budgeting rule was recommended?
+ Write down every expense for [one month|six weeks] before you change anything.
? How long should expenses be written down first?
+ Set up a standing order to a savings account on the day your pay arrives.
? When should money be moved into savings?
+ Put yearly bills such as insurance into twelve monthly slices.
? How should yearly bills be handled in a budget?
+ An emergency fund of [three|three to six] months of expenses comes before any investment.
? How big should an emergency fund be?
+ Pay off the debt with the highest interest first, which is called the avalanche method.
? What is the avalanche method?
+ Check subscriptions every quarter and cancel what you have not used.
? How often should subscriptions be reviewed?
+ Some people like the envelope system, with cash for each category.
? How does the envelope system work?
= houseplants
! Which houseplants survive in a dark flat?
! I kill every plant. Which ones are easy?
+ The snake plant tolerates deep shade and needs water only every [two|three] weeks.
? Which plant tolerates deep shade?
? How often does a snake plant need water?
+ A ZZ plant stores water in its thick rhizomes, so it forgives long holidays.
? Where does a ZZ plant store water?
+ Pothos trails nicely from a shelf and shows thirst by drooping.
? How does a pothos show that it is thirsty?
+ Cast-iron plants got their name because hardly anything can kill them.
+ Most indoor plants die of too much water, so check the soil with a finger first.
? What kills most houseplants?
+ Peace lilies even flower in shade, but they are poisonous to cats.
? Which of the suggested plants is poisonous to cats?
+ Dust the leaves every month so that they catch what little light there is.
? Why should leaves be dusted?
+ From November to February you can stop fertilising altogether.
? During which months should plants not be fertilised?
= ricecooking
! How do I cook rice without it sticking?
! My rice is always mushy. What am I doing wrong?
+ Rinse the rice until the water runs clear, which washes off loose starch.
? Why should rice be rinsed?
+ For basmati use one part rice to [one and a half|one and three quarters] parts water.
? How much water does basmati rice need?
+ Bring it to the boil, cover it, and turn the heat to the lowest setting for [twelve|fifteen] minutes.
? How long should rice simmer?
+ Do not lift the lid, since the steam does the cooking.
+ Let it rest off the heat for ten minutes with a tea towel under the lid.
? What goes under the lid while rice rests?
+ Fluff it with a fork rather than a spoon so that the grains stay whole.
? What should rice be fluffed with?
+ Sushi rice needs less water and is seasoned with vinegar, sugar and salt while warm.
? What is sushi rice seasoned with?
+ Cool leftovers within an hour, because bacterial spores can survive cooking.
? How quickly should leftover rice be cooled?
= runstart
! I'd like to start running. Where do I begin?
! How can a beginner train for 5 km?
+ Begin with intervals: one minute of running and [one|two] minutes of walking, eight times.
? What interval should a new runner start with?
+ Three sessions a week are enough, with a rest day between them.
? How many times a week should a beginner run?
+ You should be able to speak in whole sentences; otherwise you are too fast.
? How can a runner tell that the pace is too fast?
+ Do not raise the weekly distance by more than ten percent.
? By how much may the weekly distance grow?
+ Replace your shoes after about [600|700|800] kilometres.
? When should running shoes be replaced?
+ Most people can run 5 km without a break after [eight|nine|ten] weeks.
? How many weeks does it take to run 5 km?
+ Shin splints usually mean too much too soon, so take a week off and ice them.
? What causes shin splints?
+ Strength exercises for hips and calves twice a week prevent most injuries.
? Which muscles should runners strengthen?
= puppy
! We're getting a puppy. How do we housetrain it?
! Any advice for the first weeks with a puppy?
+ Take the puppy out every [hour|two hours], and always after sleeping, eating and playing.
? When should a puppy be taken outside?
+ A rule of thumb: it can hold its bladder one hour for each month of age.
? How long can a puppy hold its bladder?
+ Praise it within [two|three] seconds, or it will not link the praise to what it did.
? How quickly must a puppy be praised?
+ Never punish accidents; clean them with an enzyme cleaner so that no scent remains.
? What should accidents be cleaned with?
+ The main window for socialising closes at about [fourteen|sixteen] weeks.
? Until what age is a puppy easiest to socialise?
+ Feed it three to four small meals a day until it is six months old.
? How many meals a day does a puppy need?
+ Puppies sleep up to [eighteen|twenty] hours a day, so plan for quiet.
? How much do puppies sleep?
+ Let it sleep near your bed at first, so that you hear it get restless.
= compost
! How do I start a compost heap?
! What can I put on my compost?
+ Mix green waste such as kitchen scraps with brown material such as leaves and cardboard.
? What counts as brown material for compost?
+ Aim for about [two|three] parts brown to one part green.
? What proportion of brown to green was advised for compost?
+ Cooked food, meat and dairy attract rats and should stay out.
? What attracts rats to a compost heap?
+ Turn the heap every [two|three|four] weeks to let air in.
? How often should compost be turned?
+ It should feel like a wrung-out sponge; add water if it is drier than that.
? How moist should compost be?
+ A bad smell means too little air or too much wet material.
? What does a smelly compost heap mean?
+ In a well-kept heap you get finished compost after [six|nine|twelve] months.
? How long does compost take?
+ Citrus peel is fine in small amounts, but it breaks down slowly.
= stains
! How do I get red wine out of a carpet?
! What helps against stains on clothes?
+ Blot a fresh spill with a cloth; rubbing drives it deeper into the fibre.
? Why should a stain not be rubbed?
+ For red wine, sparkling water and then salt works well on carpets.
? What works on red wine in a carpet?
+ Blood must be rinsed with cold water, because heat fixes the protein.
? Why must blood be washed out with cold water?
+ Grease goes away with washing-up liquid left on for [ten|fifteen] minutes.
? What removes grease stains?
+ Rub chalk on a fresh oil mark on suede and brush it off the next day.
? What helps against oil on suede?
+ Ink often dissolves in rubbing alcohol or in plain milk.
? What dissolves ink?
+ Grass stains respond to white vinegar, diluted one to [two|three].
? How should vinegar be diluted for grass stains?
+ Always test on a hidden spot before you treat the whole piece.
= interview
! How do I prepare for a job interview?
! I have a job interview next week. Any tips?
+ Research the company and find [three|two] recent facts that you can mention.
? How many facts about the company should one know?
+ Tell your stories with the STAR method: situation, task, action, result.
? What does STAR stand for in interviews?
+ Arrive ten minutes early, but do not ring the bell earlier than that.
? How early should one arrive for an interview?
+ Prepare two or three questions of your own, for instance what success looks like in the role.
? What could one ask the interviewer?
+ When asked for a weakness, name a real one and what you do about it.
? How should one answer the question about weaknesses?
+ Let the other side name a salary first; if you must, give a range.
? What is the advice on talking about pay?
+ Send a short thank-you note within [a day|24 hours].
? When should the thank-you note be sent?
+ Practise aloud with a friend, since silent rehearsal hides the stumbles.
= firstaid
! What should be in a first aid kit?
! What do I do when someone burns a hand?
+ Cool a burn under running water for at least [ten|twenty] minutes, without ice.
? How long should a burn be cooled?
+ Do not put butter or toothpaste on it, as they trap the heat.
? Why should butter not be put on a burn?
+ A kit needs plasters, sterile gauze, tape, scissors, gloves and a rescue blanket.
? What belongs in a first aid kit?
+ Check the dates every [six|twelve] months, because adhesive grows old.
? How often should a first aid kit be checked?
+ For a nosebleed lean forward and pinch the soft part of the nose for ten minutes.
? What should one do about a nosebleed?
+ A person who is unconscious but breathing goes into the recovery position.
? How should an unconscious person who breathes be placed?
+ Chest compressions should be given at about 100 to 120 a minute.
? At what rate are chest compressions given?
+ Blisters from burns should be left closed.
= coffeebrew
! How do I make good filter coffee?
! My coffee tastes bitter. Why?
+ Use [60|65] grams of coffee per litre of water as a starting point.
? How many grams of coffee are needed per litre?
+ The water should be at [92|93|94] degrees, or about a minute off the boil.
? How hot should the water for filter coffee be?
+ Bitter coffee is over-extracted, so grind coarser or brew for a shorter time.
? What should be changed if coffee is bitter?
+ Sour coffee is the opposite, and a finer grind helps.
? What helps against sour coffee?
+ Let the grounds bloom for [thirty|forty] seconds with a little water first.
? How long should coffee grounds bloom?
+ A whole brew should take about three to four minutes.
+ Beans are at their best from one to four weeks after roasting.
? When are coffee beans at their best?
+ Rinse the paper filter with hot water to get rid of the papery taste.
? Why should a paper filter be rinsed?
= toddlers
! What can I do on a rainy day with a toddler?
! My two-year-old throws tantrums. What helps?
+ Tantrums peak between [eighteen months and three years|one and a half and three], so this is normal.
? At what age are tantrums most frequent?
+ Offer two choices, for example the red cup or the blue one.
? What is an example of offering a choice to a toddler?
+ Announce changes [five|three] minutes ahead, since sudden ends are hard for little ones.
? How long ahead should changes be announced to a toddler?
+ On rainy days a washing-up bowl with rice and cups keeps them busy for half an hour.
? What keeps a toddler busy on a rainy day?
+ Name the feeling in short words before you explain anything.
+ A tent of blankets under the table makes a good reading corner.
? How can one build a reading corner at home?
+ Toddlers need about eleven to fourteen hours of sleep in 24 hours.
? How much sleep does a toddler need?
+ Screen time is best kept under an hour a day at that age.
? How much screen time was advised for a toddler?
= yoga
! Can yoga help with back pain?
! Which yoga exercises are good for office workers?
+ The cat-cow movement loosens the spine; repeat it [eight|ten] times slowly.
? Which exercise loosens the spine?
+ Child's pose stretches the lower back and can be held for two minutes.
? How long can child's pose be held?
+ For tight hips try the pigeon, or its gentler version lying on your back.
? Which pose is good for tight hips?
+ At the desk, roll your shoulders and look at something far away every [thirty|forty] minutes.
? How often should desk workers take a movement break?
+ A folded towel under the knees helps if the floor is hard.
+ Studies found yoga about as good as physiotherapy for mild back pain after twelve weeks.
? How does yoga compare with physiotherapy for back pain?
+ Stop if a pose sends a tingling down your leg, and see a doctor.
? What sign means that one should stop a pose?
+ Two short sessions a week do more than one long one.
? How should yoga sessions be spread over the week?
= freezer
! How do I defrost my freezer?
! What can I freeze and how long does it keep?
+ Defrost when the ice is about [one centimetre|half a centimetre] thick, as ice wastes power.
? How thick may the ice get before defrosting?
+ Switch it off, empty it, and put a bowl of hot water inside with the door shut.
? What can be put inside to defrost a freezer faster?
+ Never scrape with a knife, because you might pierce a cooling pipe.
? Why should a freezer not be scraped with a knife?
+ Bread keeps for about three months, berries for a year.
? How long can berries be frozen?
+ Minced meat should be eaten within [two|three] months.
? How long does frozen minced meat keep?
+ Boiled potatoes turn mealy and whole eggs burst, so keep both out.
? What should not be frozen?
+ Set the temperature to minus eighteen degrees.
? What temperature should a freezer have?
+ Label everything with the date, since frozen soup all looks the same.
= taxes
! What can I deduct from my taxes as a freelancer?
! I've just gone freelance. What about taxes?
+ Put [thirty|a third|25] percent of every payment aside in a separate account.
? What share of income should a freelancer put aside for tax?
+ Keep receipts for [seven|ten] years; scans are accepted in most countries.
? For how long should receipts be kept?
+ A home office counts only if the room is used almost exclusively for work.
? When does a home office count for tax?
+ Equipment above a certain price is written off over several years.
+ Training, trade journals and professional insurance are deductible as well.
? Which costs apart from equipment can be deducted?
+ Many offices ask for advance payments each quarter after the first year.
? How often are advance tax payments due?
+ A tax adviser usually costs less than the mistakes of the first year.
+ Mixed trips count for the part that was business, so note the purpose of each day.
? How are mixed trips treated?
= declutter
! How do I declutter my flat?
! My wardrobe is bursting. Where do I start?
+ Start with one drawer and set a timer for [fifteen|twenty] minutes.
? How long should a decluttering session last?
+ Sort into four boxes: keep, give away, sell, bin.
? Into what boxes should things be sorted?
+ If you have not worn it for a year, it goes.
? After what time without wear should clothes go?
+ Photographs and letters come last, because they slow you down.
? What should be sorted last?
+ Turn all hangers around and see after [six months|a season] which ones you have turned back.
? What is the trick with the hangers?
+ One in, one out keeps the level steady afterwards.
? What rule keeps a tidy flat tidy?
+ Charity shops usually want clean things and no electrical goods.
? What do charity shops usually not take?
+ Take the bags away on the same day, or they creep back.
"""
