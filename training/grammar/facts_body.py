"""Facts about health, body, sleep, diet and habits."""

TABLE = """
= allergy @allergy
+ I'm allergic to {allergen}.
+ I can't go near {allergen}, I come out in hives.
+ Found out {recent} that I'm allergic to {allergen}.
+ {allergen} and me, not a good mix: my throat swells up.
+ Is there anything you can't have? // I'm allergic to {allergen}.
+ Careful with {allergen} when I come over, I react badly.
+ I carry an EpiPen because of my allergy to {allergen}.
+ I've had an allergy to {allergen} {since}.
+ One whiff of {allergen} and I'm sneezing all day.
- My {kin} is allergic to {allergen}.
- My {kin} can't have {allergen}.
* I'm allergic to Mondays, haha.
* I bought {allergen} for the project.
! That must be annoying in restaurants.
? allergen| What {is} {N} allergic to?
? allergen| What allergies {does} {N} have?
? allergen| What should {N} avoid for health reasons?
? allergen| {K} allergy
? recent| When did {N} find out about the allergy?
? since| How long {has} {N} had the allergy to {allergen}?
? allergen| What gives {Nm} an allergic reaction?
? | {Is} {N} allergic to {allergen}?
? allergen| What does {N} react badly to?
?* What are all the things {N} {is} allergic to?
?* {K} allergies list
?= allergen| What allergy do {N} and {M} share?
?- kin, allergen| What is {Ns} {kin} allergic to?
= illness @illness -
+ I've got {illness}.
+ I was in bed with {illness} {recent}.
+ I came down with {illness} {recent}.
+ Why weren't you at the party? // {illness}, I was out for {n} days.
+ The doctor says it's {illness}.
+ Turns out it's {illness}, I'm on antibiotics for {n} days.
+ Been knocked out by {illness} for {n} days now.
+ I caught {illness} on the trip, so I spent it in a hotel bed.
^ I'm over the {illness} now, back on my feet.
^ Finally better! Back at work {recent}.
- My {kin} has {illness}.
- My {kin} was in hospital with {illness} {recent}.
* I'm sick of all this rain.
! Get well soon!
! Drink lots of tea.
? illness| What illness did {N} have?
? illness| What {was} {N} sick with?
? illness| What was wrong with {Nm}?
? n| How many days was {N} ill?
? recent| When was {N} ill?
? illness| {K} sickness
? illness| What did the doctor diagnose {Nm} with?
? illness| Why {was} {N} unwell?
?n | {Is} {N} healthy again?
?n | How {is} {N} after the illness?
?h How did {Ns} illness go?
?- kin, illness| What does {Ns} {kin} suffer from?
= injury @injury -
~ how: skiing; falling off my bike; playing football; slipping on ice; moving a wardrobe; tripping over the cat
~ how: at the gym
~ how: climbing; jumping off a wall; running for the bus; falling down the stairs; dancing at a wedding
+ I broke my {bodypart} {how}.
+ I sprained my {bodypart} {recent}.
+ I hurt my {bodypart} {how}, of all things.
+ My {bodypart} is in plaster for {n} weeks.
+ What happened to your {bodypart}? // I did it {how}.
+ Can't type much, I've hurt my {bodypart}.
+ {recent} I tore something in my {bodypart} {how}. Surgery is {soon}.
+ A and E {recent}. ++ My {bodypart} is broken, I did it {how}.
^ The cast on my {bodypart} came off {recent}!
^ My {bodypart} has healed, the doctor's happy.
- My {kin} broke a {bodypart} {how}.
- My {kin} hurt a {bodypart} {recent}.
* They broke my heart when they cancelled the show.
? bodypart| What did {N} injure?
? bodypart| Which part of {Ns} body got hurt?
? how| How did {N} get injured?
? how| What {was} {N} doing when {he} hurt the {bodypart}?
? recent| When did {N} get hurt?
? n| How many weeks {does} {N} have to wear the plaster?
? soon| When is {Ns} surgery?
? bodypart| {K} injury
? bodypart| What happened to {Nm} physically?
?n | How is {Ns} {bodypart} now?
?n | Has {Ns} injury healed?
?- kin, bodypart| What did {Ns} {kin} injure?
= diet @food
~ diet: vegetarian; vegan; pescatarian; gluten-free; dairy-free; keto; low-carb; sugar-free; halal; kosher; raw vegan
~ diet: low-salt
+ I'm {diet} now.
+ I've been {diet} {since}.
+ I eat {diet}, mostly for my health.
+ I went {diet} {past} and never felt better.
+ Do you eat everything? // No, I'm {diet}.
+ Going {diet} was the best decision I made this year.
+ My doctor wants me to stay {diet}.
+ I'm doing {diet} for a month, let's see.
^ I've given up on {diet}, I'm {diet2} now.
^ I stopped being {diet} {recent}. It's {diet2} these days.
- My {kin} is {diet}.
- My {kin} went {diet} {past}.
* The {diet} cafe in town has closed.
! What do you have for breakfast then?
? diet| What diet {does} {N} follow?
? diet| What are {Ns} dietary restrictions?
? diet| What way of eating has {N} chosen?
? since| How long {has} {N} been eating {diet}?
? past| When did {N} go {diet}?
? diet| {K} diet
? diet| How {does} {N} eat?
? | What should I keep in mind when cooking for {Nm}?
?n diet2| What diet {does} {N} follow now?
?b diet| What diet did {N} follow before?
?h How did {Ns} diet change?
?- kin, diet| What diet does {Ns} {kin} follow?
= sleep @sleep
~ pattern: five hours a night; nine hours at least; badly; like a log; with earplugs; with the window open
~ pattern: until noon on Sundays
+ I sleep {pattern}.
+ I've been sleeping {pattern} {since}.
+ I go to bed at {time4} and get up at {time}.
+ How do you sleep these days? // {pattern}, to be honest.
+ My alarm goes off at {time}, every day, even weekends.
+ I can't fall asleep without [a podcast|white noise|rain sounds|reading].
+ I'm up at {time} every morning, no matter what.
+ Insomnia again. I've been awake since {time5}.
^ I get up at {time3} now, new job.
- My {kin} gets up at {time}.
* Let me sleep on it and I'll tell you tomorrow.
? pattern| How {does} {N} sleep?
? pattern| What are {Ns} sleeping habits?
? time| At what time {does} {N} get up?
? time4| When {does} {N} go to bed?
? time5| Since when was {N} awake?
? time| What time does {Ns} day start?
? | {Does} {N} have trouble with sleep?
? pattern| {K} sleep
? since| How long {has} {N} been sleeping {pattern}?
?n time3| When {does} {N} get up now?
= habit @habit
~ habit: meditate for ten minutes; drink hot lemon water; write three pages; do twenty push-ups; take a cold shower
~ habit: walk round the lake; read before bed; do the crossword; phone my mother; learn ten new words
~ habit: stretch on the balcony
~ habit: keep a gratitude journal; check my phone in bed; eat porridge; swim before work; feed the ducks
+ Every morning I {habit}.
+ I {habit} every day, without fail.
+ I've started a new habit: I {habit} each evening.
+ What's your secret? // I {habit} every day.
+ First thing after getting up, I {habit}.
+ I used to skip it, but now I {habit} daily.
+ I {habit} every single night, even on holiday.
+ It sounds silly, but I {habit} before anything else.
- My {kin} likes to {habit} every day.
* Nuns wear a habit, you know.
? habit| What {does} {N} do every day?
? habit| What is {Ns} daily habit?
? habit| What is part of {Ns} routine?
? habit| What routine {has} {N} got into?
? habit| {K} daily routine
? habit| What ritual {does} {N} keep up?
?* What are {Ns} daily habits?
?* What does {N} do regularly every day?
?= habit| What do {N} and {M} both do every day?
= quit @quit +
~ vice: smoking; sugar; social media; coffee; alcohol; biting my nails; online shopping; energy drinks; gambling
~ vice: fast food
+ I gave up {vice} {past}.
+ I've quit {vice}.
+ No more {vice} for me, it's been {dur} now.
+ I stopped {past}. {vice}, I mean. Hardest thing ever.
+ Want one? // No thanks, I gave up {vice} {past}.
+ {dur} without {vice}, I'm proud of myself.
+ Day {n} without {vice}, I'm climbing the walls.
+ I'm trying to give up {vice}.
^ I slipped {recent}, back to {vice} I'm afraid.
^ So much for giving up {vice}. I started again {recent}.
- My {kin} gave up {vice} {past}.
- My {kin} is trying to quit {vice}.
* I quit my job over a sandwich.
? vice| What {has} {N} given up?
? past| When did {N} quit {vice}?
? dur| How long {has} {N} gone without {vice}?
? vice| What bad habit did {N} stop or try to stop?
? vice| {K} quit
? vice| What is {N} abstaining from?
? vice| Which vice did {N} want to leave behind?
?n | {Has} {N} managed to stay off {vice}?
?n | Did {N} relapse?
?h How did {Ns} attempt to give up {vice} go?
?- kin, vice| What did {Ns} {kin} want to give up?
= appointment @appointment
~ doctor: dentist; eye doctor; physiotherapist; dermatologist; GP; orthodontist; cardiologist; therapist; hairdresser
~ doctor: vet
~ doctor: tax adviser; notary; hearing specialist; bank adviser; tattooist
+ I have a {doctor} appointment {soon} at {time}.
+ I'm seeing the {doctor} {soon}.
+ {doctor} {soon} at {time}, ugh.
+ What are you doing {soon}? // {doctor}, at {time}.
+ Got an appointment with the {doctor} on {day} at last, after months of waiting.
+ I was at the {doctor} {recent}, everything fine.
+ I booked the {doctor} for {time} {soon}.
+ Need to leave early {soon}, it's the {doctor}.
^ The {doctor} had to reschedule, it's on {day2} now.
^ They moved my {doctor} appointment to {day2}.
- My {kin} has to see the {doctor} {soon}.
* I was appointed treasurer of the club.
? soon| When is {Ns} {doctor} appointment?
? time| What time is {Ns} appointment with the {doctor}?
? day| On what date {does} {N} see the {doctor}?
? doctor| What kind of appointment {does} {N} have?
? doctor| Who {does} {N} have an appointment with?
? recent| When was {N} at the {doctor}?
? doctor| {K} appointment
?n day2| When is {Ns} {doctor} appointment now?
?n day2| To what date was {Ns} appointment moved?
?h How was {Ns} {doctor} appointment changed?
?* What appointments {does} {N} have?
= fear @fear
~ fear: spiders; heights; flying; the dark; dogs; needles; lifts; deep water; clowns; thunderstorms; public speaking
~ fear: snakes
~ fear: the dentist; moths; driving on motorways; being alone; pigeons; crowds; escalators; wasps
+ I'm terrified of {fear}.
+ I've been scared of {fear} ever since I was {youth}.
+ {fear}? No way. I can't do it, I panic.
+ My biggest fear is {fear}, don't laugh.
+ Is there anything you're afraid of? // {fear}. Always have been.
+ I nearly fainted {recent} because of {fear}, I've got a real phobia.
+ Don't tell anyone, but {fear} gives me nightmares.
+ I'm seeing a therapist about my phobia of {fear}.
^ I did it! I'm no longer afraid of {fear}.
- My {kin} is afraid of {fear}.
* I'm afraid I can't make it on Saturday.
? fear| What {is} {N} afraid of?
? fear| What frightens {Nm}?
? fear| What is {Ns} phobia?
? fear| What is {Ns} biggest fear?
? youth| Since what age {has} {N} been scared of {fear}?
? fear| {K} phobia
? | {Is} {N} scared of {fear}?
? recent| When did {N} nearly faint?
?n | Did {N} overcome the fear of {fear}?
?= fear| What are both {N} and {M} afraid of?
?- kin, fear| What is {Ns} {kin} afraid of?
= fitness @sport
+ I ran {km} {recent}.
+ I'm training for a [half marathon|marathon|10k|triathlon|charity run] {later}.
+ I go to the gym {few} times a week.
+ I swam {km} this week, my arms are jelly.
+ How often do you work out? // About {few} times a week.
+ I've lost {n} kilos since [January|spring|Christmas|the summer].
+ I walk {km} every day with my headphones on.
+ My personal best is {mins} for the {km} loop.
- My {kin} runs {km} every morning.
* I ran into {friend} at the bakery.
? km| What distance did {N} mention?
? later| When is the race {N} {is} training for?
? few| How often {does} {N} go to the gym?
? n| How much weight {has} {N} lost?
? mins| What is {Ns} personal best?
? | What {does} {N} do to keep fit?
? | {K} fitness
? | What sort of exercise {does} {N} do?
= medication @medication
~ med: antihistamines; iron tablets; vitamin D; blood pressure tablets; antidepressants; thyroid pills; insulin
~ med: beta blockers
~ med: an inhaler; magnesium; statins; painkillers; sleeping pills; melatonin
+ I'm on {med}.
+ I've been taking {med} {lately}.
+ My doctor put me on {med} {recent}.
+ I take {med} every morning with breakfast.
+ Do you take anything regularly? // {med}, that's all.
+ Forgot my {med} at home, had to go back.
+ They've prescribed me {med} for the next {n} weeks.
^ I've come off the {med} and I'm trying {med2}.
^ New prescription: {med2} instead of {med}.
- My {kin} takes {med}.
* That film was a bitter pill.
? med| What medication {does} {N} take?
? med| What was {N} prescribed?
? lately| How long {has} {N} been taking {med}?
? recent| When was {N} put on {med}?
? n| For how many weeks {does} {N} have to take {med}?
? med| {K} medicine
? med| What medicine {is} {N} on?
?n med2| What medicine {does} {N} take now?
?b med| What was {N} taking before?
?h How did {Ns} medication change?
"""
