"""Long answers about places, nature, history and technology. Marks as in `answers_home`."""

TABLE = """
= lisbontrip
! What should I see in Lisbon in three days?
! Can you plan a short trip to Lisbon?
+ Spend the first morning in Alfama, the old quarter below the castle.
? Which quarter of Lisbon was suggested for the first morning?
+ Tram 28 is charming but packed, so ride it before [eight|nine] in the morning.
? When should one ride tram 28?
+ For custard tarts go to Belem, where the bakery has used the same recipe since 1837.
? Since when has the bakery in Belem used its recipe?
+ The tile museum sits in a former convent and is rarely crowded.
? Where is the tile museum housed?
+ A day trip to Sintra takes [forty|forty-five] minutes by train from Rossio station.
? How long is the train ride to Sintra?
? From which station do trains to Sintra leave?
+ The best free view is from the Miradouro da Senhora do Monte.
? Where is the best free view over Lisbon?
+ On the last day cross the river by ferry to Cacilhas for grilled fish.
? Where can one eat grilled fish across the river?
+ Shoes with grip help, because the pavements are polished limestone.
? Why are good shoes needed in Lisbon?
= kyoto
! When is the best time to visit Kyoto?
! Give me some tips for Kyoto.
+ Cherry blossom usually peaks in [the first week|early days] of April, and maple leaves in late November.
? When do the maple leaves in Kyoto peak?
+ Fushimi Inari, with its thousands of red gates, is open all night and empty at dawn.
? Which shrine is empty at dawn?
+ The golden pavilion burned down in 1950 and was rebuilt five years later.
? When did the golden pavilion burn down?
+ Nishiki market is good for a walking lunch, though eating while walking is frowned upon.
? Where can one have lunch at a market in Kyoto?
+ A day bus pass no longer exists, so use the subway and bus combination ticket.
? What ticket should one use in Kyoto?
+ Kaiseki, the local multi-course meal, is much cheaper at midday.
? When is a kaiseki meal cheaper?
+ Stay near Karasuma for easy trains, or in Gion for atmosphere.
? Where should one stay in Kyoto for atmosphere?
+ Book temples such as the moss garden [two months|several weeks] ahead by postcard or online.
? How far ahead must the moss garden be booked?
= scotland
! We want to drive around the Scottish Highlands. Any advice?
! What route should I take through the Highlands?
+ The North Coast 500 is [516|about 500] miles long and takes at least a week.
? How long does the North Coast 500 take?
+ Drive it anticlockwise, so that the best scenery comes at the end.
? In which direction should the North Coast 500 be driven?
+ Midges are worst from June to August, especially at dusk without wind.
? When are midges at their worst?
+ On single-track roads pull into passing places on the left, and wave.
? What should one do on single-track roads?
+ The road to Applecross climbs to [626|over 600] metres and is not for caravans.
? Which road is not suitable for caravans?
+ Wild camping is allowed if you stay away from houses and leave no trace.
? Is wild camping allowed there?
+ Fill up whenever you pass a petrol station, since they close on Sundays.
? Why should one fill up often?
+ Smoo Cave near Durness has a waterfall inside and costs nothing.
? What is special about Smoo Cave?
= interrail
! How does an Interrail pass work?
! Is an Interrail pass worth it?
+ The pass covers trains in [33|over thirty] countries, but not in your own beyond one trip out and back.
? How many countries does the Interrail pass cover?
+ High-speed and night trains need a seat reservation on top, from about ten to thirty euros.
? What does a seat reservation cost with Interrail?
+ In Germany and Austria you can simply board most trains.
? In which countries can one board most trains without booking?
+ Reservations for French trains sell out weeks ahead, because passholder seats are limited.
? Why must French trains be booked early?
+ A flexible pass counts only the days on which you travel.
? What does a flexible pass count?
+ A night train that leaves before midnight uses up only the day of departure.
? Which day does a night train use up?
+ Under-28s pay about a quarter less, and children under twelve go free.
? Who travels free with Interrail?
+ It pays off from about [five|six] long journeys onward.
? From how many journeys is the pass worth it?
= bees
! How do honeybees make honey?
! Tell me something about bees.
+ A worker visits [50 to 100|up to a hundred] flowers on one trip.
? How many flowers does a bee visit on a trip?
+ In her whole life she makes about a twelfth of a teaspoon of honey.
? How much honey does one bee make in its life?
+ Nectar is passed from mouth to mouth, which adds enzymes and takes out water.
? Why is nectar passed from mouth to mouth?
+ The comb is fanned with wings until the water content falls below [18|19] percent.
? How dry must honey be before it is sealed?
+ The waggle dance tells the others the direction and distance of a food source.
? What does the waggle dance communicate?
+ A queen can lay [1,500|2,000] eggs a day in early summer.
? How many eggs does a queen lay per day?
+ Drones have no sting and are driven out in autumn.
? What happens to drones in autumn?
+ In winter the colony forms a ball and shivers to keep the centre at about 25 degrees or more.
? How does a colony keep warm in winter?
= volcano
! Why do volcanoes erupt?
! Can you explain volcanoes to me?
+ Molten rock rises because it is lighter than the solid rock around it.
? Why does molten rock rise?
+ Dissolved gas works like the fizz in a shaken bottle and drives explosive eruptions.
? What drives explosive eruptions?
+ Runny basalt, as in Hawaii, flows out gently, whereas sticky magma plugs the vent.
? What sort of lava is found in Hawaii?
+ The eruption of Tambora in 1815 caused the year without a summer.
? Which eruption caused the year without a summer?
+ About [1,350|1,500] volcanoes on land are considered active.
? How many active volcanoes are there on land?
+ Before an eruption the ground often swells, which satellites can measure.
? What can satellites measure before an eruption?
+ Pyroclastic flows are the deadliest danger, at up to [700|600] kilometres an hour.
? How fast can pyroclastic flows be?
+ Volcanic soil is very fertile, which is why people settle there all the same.
? Why do people settle near volcanoes?
= heatpump
! How does a heat pump work?
! Should we replace our gas boiler with a heat pump?
+ It works like a refrigerator in reverse and moves heat from outside to inside.
? What household device does a heat pump resemble?
+ From one unit of electricity you get [three to four|about three] units of heat.
? How much heat does one unit of electricity give?
+ It runs best with a flow temperature below [50|55] degrees, so larger radiators may help.
? What flow temperature suits a heat pump?
+ The outdoor unit makes about as much noise as a fridge and needs a few metres to the neighbour.
? How loud is the outdoor unit?
+ Insulating the attic first often saves more than the pump itself.
? What should be insulated first?
+ Ground-source systems are more efficient, but drilling costs [8,000 to 15,000|over 10,000] euros.
? What does drilling for a ground-source pump cost?
+ Grants must usually be applied for before you sign a contract.
? When must a grant be applied for?
+ Most units last about twenty years with a yearly service.
? How long does a heat pump last?
= passwords
! How do I keep my accounts safe?
! Do I need a password manager?
+ Length beats complexity, so use at least [four|five] random words.
? How many random words should a password have?
+ A password manager remembers everything, and you need to know only one master phrase.
+ Turn on two-step login for your mail first, because every reset goes through it.
? Which account should get two-step login first?
+ Codes from an app are safer than text messages, since numbers can be hijacked.
? Why are text message codes less safe?
+ Print the recovery codes and keep them with your passport.
? Where should recovery codes be kept?
+ Changing passwords every [90 days|few months] is no longer advised unless there was a leak.
? When should passwords be changed?
+ A passkey replaces the password with a key stored on your device.
? What is a passkey?
+ Security questions should be answered with nonsense that you store as well.
? How should security questions be answered?
= wifi
! My wifi is slow in the bedroom. What can I do?
! How can I improve the wifi at home?
+ Put the router in the open, about [one and a half|two] metres high and away from metal.
? How high should a router stand?
+ The 5 GHz band is faster, but walls weaken it more than 2.4 GHz.
? Which wifi band suffers more from walls?
+ Microwave ovens and baby monitors disturb the lower band.
? Which devices disturb wifi?
+ A mesh system with [two|three] nodes beats a cheap repeater, which halves the speed.
? What is the drawback of a cheap repeater?
+ Powerline adapters use the electric wiring and work badly across fuse boxes.
? When do powerline adapters work badly?
+ Old devices slow everyone down, so give them a guest network.
? What should be done with old devices on wifi?
+ Measure with a cable first to find out whether the line itself is the problem.
? How can one tell whether the line is the problem?
+ Restarting helps because it picks a less crowded channel.
? Why does restarting the router help?
= rome
! Can you give me a short history of the Roman Empire?
! Why did Rome fall?
+ Tradition dates the founding of the city to 753 BC.
? When was Rome founded according to tradition?
+ Augustus became the first emperor in 27 BC, though he called himself first citizen.
? What did Augustus call himself?
+ The empire was largest under Trajan, in AD 117.
? Under which emperor was the empire largest?
+ The Antonine plague killed perhaps [five|ten] million people from AD 165 on.
? How many people died in the Antonine plague?
+ Diocletian split the administration into two halves, because it had become too big for one man.
? Who split the administration of the empire?
+ In the third century there were more than [twenty|twenty-five] emperors in fifty years.
? How many emperors ruled in the crisis of the third century?
+ The last western emperor, Romulus Augustulus, was deposed in 476.
? Who was the last western emperor?
+ In the east it lasted until the fall of Constantinople in 1453.
? When did the eastern empire end?
= chocolate
! How is chocolate made?
! What's the difference between dark and milk chocolate?
+ Cocoa beans ferment for about [five|six|seven] days under banana leaves, which makes the flavour.
? Under what do cocoa beans ferment?
+ Roasting takes place at between 120 and 150 degrees.
? At what temperature are cocoa beans roasted?
+ Conching, a long stirring, was invented by Rodolphe Lindt in 1879.
? Who invented conching?
+ Tempering lines up the fat crystals, so that the bar snaps and shines.
? What does tempering do?
+ Milk chocolate needs at least [25|30] percent cocoa in Europe.
? How much cocoa must milk chocolate contain?
+ White chocolate contains cocoa butter but no cocoa solids.
? What is missing in white chocolate?
+ Ivory Coast and Ghana grow more than half of the world's cocoa.
? Which countries grow most cocoa?
+ The grey film on old bars is fat bloom and harmless.
? What is the grey film on old chocolate?
= whales
! How do whales sleep?
! What's interesting about sperm whales?
+ Sperm whales nap upright in the water for about [ten to fifteen|twelve] minutes.
? In what position do sperm whales sleep?
+ Dolphins rest one half of the brain at a time and keep one eye open.
? How do dolphins sleep?
+ A sperm whale can dive to [2,000|over two thousand] metres and hold its breath for an hour and a half.
? How deep can a sperm whale dive?
+ Its click is the loudest sound any animal makes.
? Which animal makes the loudest sound?
+ The heart of a blue whale weighs about [180|200] kilograms.
? How heavy is the heart of a blue whale?
+ Humpback songs change every year and spread from west to east across the Pacific.
? In what direction do humpback songs spread?
+ Bowhead whales may live for more than 200 years.
? Which whale lives longest?
+ Their closest living relative on land is the hippopotamus.
? Which land animal is closest to whales?
= ev
! What should I know before buying an electric car?
! How long does the battery of an electric car last?
+ Most makers guarantee the battery for eight years or 160,000 kilometres.
? For how long is the battery of an electric car guaranteed?
+ In winter the range drops by [20 to 30|up to 30] percent.
? By how much does the range fall in winter?
+ Charging to 80 percent in daily use makes the battery last longer.
? To what level should an electric car be charged?
+ A wallbox with 11 kilowatts fills an average car overnight.
? How strong should a wallbox be?
+ Fast chargers cost about [twice|two to three times] as much as power at home.
? How expensive is fast charging compared with home?
+ Used leasing cars of three years are often the best bargain.
? Which used electric cars are a bargain?
+ A heat pump in the car saves range on cold days.
+ Check whether the plug is CCS, since older Japanese cars use CHAdeMO.
? Which plug do older Japanese cars use?
= coral
! Why are coral reefs dying?
! Explain coral bleaching.
+ Corals live together with algae that provide up to [90|95] percent of their food.
? How much of their food do corals get from algae?
+ When the water is one degree too warm for weeks, they expel the algae and turn white.
? What makes corals turn white?
+ A bleached coral is not dead and can recover if the water cools soon.
? Can a bleached coral recover?
+ Reefs cover less than one percent of the sea floor, but a quarter of marine species live there.
? What share of marine species lives on reefs?
+ The Great Barrier Reef stretches over [2,300|more than 2,000] kilometres.
? How long is the Great Barrier Reef?
+ Some sunscreens contain oxybenzone, which harms larvae; Hawaii has banned it.
? Which sunscreen ingredient is banned in Hawaii?
+ Nurseries grow fragments on ropes and glue them back to the reef.
? How do nurseries help reefs?
+ Parrotfish keep reefs healthy, because they graze on seaweed.
? Which fish keep reefs healthy?
= chess
! How can I get better at chess?
! Which chess opening should a beginner learn?
+ Solve [ten|fifteen] tactics puzzles a day, as most games below club level are lost by blunders.
? How many puzzles a day were recommended?
+ The Italian game is a good first opening for White.
? Which opening was recommended for White?
+ Against it, Black can learn the Caro-Kann, which is solid and has few traps.
? Which defence is solid for Black?
+ Castle before move ten and do not bring the queen out early.
? By which move should one castle?
+ Play slower games of at least [fifteen|twenty] minutes rather than bullet.
? How long should practice games be?
+ Look through your losses without an engine first, then with it.
? How should lost games be reviewed?
+ Learn the endings with king and pawn before anything else.
? Which endings should be learned first?
+ A knight on the rim is dim, as the saying goes.
? What does the saying warn about knights?
= tea
! What's the difference between green and black tea?
! How do I brew green tea properly?
+ All true teas come from one plant, Camellia sinensis.
? From which plant do all true teas come?
+ Green tea is heated soon after picking, which stops oxidation.
? What stops the oxidation of green tea?
+ Brew it at [70|75|80] degrees for two minutes, or it turns bitter.
? At what temperature should green tea be brewed?
+ Black tea takes boiling water and three to five minutes.
? How long should black tea steep?
+ Oolong lies between the two and can be brewed up to [six|seven] times.
? How often can oolong be brewed?
+ Darjeeling of the first flush is picked in March and tastes of muscatel grapes.
? When is first flush Darjeeling picked?
+ Keep tea in a dark tin, away from coffee and spices.
? How should tea be stored?
+ Rooibos and mint are herbal infusions rather than tea.
? Which drinks are not really tea?
= marathon
! Tell me about the history of the marathon.
! Why is a marathon 42 km long?
+ The legend tells of Pheidippides, who ran from Marathon to Athens in 490 BC.
? Who ran from Marathon to Athens?
+ The first modern race took place at the Athens games of 1896 and was won by Spyridon Louis.
? Who won the first modern marathon?
+ The distance of 42.195 kilometres goes back to London in 1908, so that it could start at Windsor Castle.
? Why was the distance set to 42.195 kilometres?
+ Women were not allowed in Boston until 1972.
? When were women first allowed in Boston?
+ Kathrine Switzer had already run there in 1967 with a number issued to her initials.
? How did Kathrine Switzer get a number in 1967?
+ Eliud Kipchoge ran under two hours in Vienna in 2019, though it does not count as a record.
? Where did Kipchoge run under two hours?
+ Most amateurs finish in between four and five hours.
? How long do amateurs need for a marathon?
+ The wall comes at about kilometre [30|32|35], when glycogen runs out.
? At which kilometre does the wall come?
= stargazing
! I'd like to get into stargazing. What do I need?
! Which telescope should a beginner buy?
+ Start with binoculars, for instance [10x50|8x42], which show the moons of Jupiter.
? What equipment should a beginner start with?
+ Your eyes need about [twenty|thirty] minutes to adapt to the dark, so use a red torch.
? How long do eyes take to adapt to the dark?
? What colour of torch should be used?
+ A Dobsonian telescope gives the most light for the money.
? What type of telescope gives the best value?
+ The Perseids peak around the 12th of August with up to a hundred meteors an hour.
? When do the Perseids peak?
+ The full moon washes out faint objects, so plan around new moon.
? Why should one avoid the full moon?
+ The Andromeda galaxy is the farthest thing you can see with the naked eye.
? What is the farthest thing visible to the naked eye?
+ Put the telescope outside an hour early to let it cool.
? Why should a telescope be put outside early?
+ Join a local club, where you can look through different instruments first.
= photography
! How do I take better photos?
! What does aperture mean in photography?
+ A low f-number such as f/[1.8|2] means a wide opening and a blurred background.
? What does a low f-number do?
+ For moving children use at least 1/[500|250] of a second.
? What shutter speed is needed for children in motion?
+ The golden hour lasts for about an hour after sunrise and before sunset.
? When is the golden hour?
+ Place the subject on one of the thirds rather than in the centre.
? Where in the frame should the subject be?
+ Raise ISO last, because it adds noise.
? Why should ISO be raised last?
+ A 50 millimetre lens is cheap and teaches you to move your feet.
? Which lens was suggested for learning?
+ For portraits focus on the eye that is nearer to you.
? What should be in focus in a portrait?
+ Shoot RAW if you want to edit later, as it keeps more detail in the shadows.
? Why should one shoot RAW?
= antibiotics
! Why shouldn't I take antibiotics for a cold?
! How do antibiotics work?
+ Antibiotics attack bacteria, whereas colds and flu are caused by viruses.
? Why do antibiotics not help against a cold?
+ Penicillin stops bacteria from building their cell walls.
? What does penicillin do to bacteria?
+ Fleming found it in [1928|September 1928] on a mouldy dish after his holiday.
? How was penicillin discovered?
+ Resistance arises because the few germs that survive multiply.
? How does resistance arise?
+ Take the whole course unless your doctor tells you otherwise.
+ Milk weakens some of them, tetracycline for example, so leave two hours between.
? Which antibiotic is weakened by milk?
+ Diarrhoea is the most common side effect and affects about one in [ten|five].
? How common is diarrhoea as a side effect?
+ Leftover tablets belong in the pharmacy's return box, not in the drain.
? Where do leftover tablets belong?
= northernlights
! Where can I see the northern lights?
! When is the best season for the aurora?
+ Tromso, Abisko and Iceland are the easiest places to reach.
? Which places are easiest for seeing the aurora?
+ The season runs from late September to late March, with the equinoxes being strongest.
? When does the aurora season run?
+ Abisko is known for a blue hole in the clouds made by the mountains.
? What is Abisko known for?
+ Look at the Kp index: [three|two] is enough in the far north, and you need seven in Scotland.
? What Kp index is needed in Scotland?
+ The green colour comes from oxygen at about 100 kilometres.
? What makes the aurora green?
+ Stay at least [four|five] nights, because a single night is often cloudy.
? How many nights should one stay for the aurora?
+ Cameras see more colour than the eye, so do not expect the pictures from the brochure.
+ Spare batteries belong in an inner pocket, since the cold drains them.
? Where should spare batteries be kept in the cold?
"""
