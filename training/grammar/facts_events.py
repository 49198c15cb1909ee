"""Facts about trips, events, plans, things lost and found."""

TABLE = """
= trippast @trip
~ did: hiked; ate far too much; saw the northern lights; got lost in the old town; slept in a tent
~ did: visited an old friend
~ did: rented bikes; went diving; missed our flight home; learned to cook; stayed in a monastery; lay on the beach
+ I was in {country} {past}.
+ We went to {country} {past} and {did}.
+ I spent {n} days in {city}, and we {did}.
+ Just got back from {country}, we {did} the whole time.
+ Where did you go on holiday? // {country}, for {n} days.
+ My trip to {city} {past} was the best ever, I {did}.
+ Back from {country}. Tanned, tired, broke.
+ {past} I travelled through {country} with {friend}.
+ We spent our honeymoon in {country}.
- My {kin} went to {country} {past}.
- My {kin} is back from {city}.
* I tripped over the cable.
* There's a new restaurant with food from {country}.
! I'm so jealous. How was it?
! Send pictures!
? country| Where did {N} go on holiday?
? country| Which country did {N} visit?
? country| Where {has} {N} travelled?
? past| When did {N} travel?
? past| When was {N} in {country}?
? n| How many days was {N} away?
? did| What did {N} do on the trip?
? friend| Who did {N} travel with in {country}?
? country| {K} vacation
? | {Has} {N} been to {country}?
? city| What city did {N} visit?
?* Which places {has} {N} been to?
?* Where {has} {N} travelled so far?
?= country| Which country have both {N} and {M} visited?
?- kin, country| Where did {Ns} {kin} travel?
= tripplan @tripplan +
+ I'm going to {country} {later}.
+ We've booked {country} for {n} days {later}.
+ Next trip: {city}, {later}. I'm counting the days.
+ I'm off to {city} {soon} with my {kin}.
+ Any travel plans? // {country}, {later}.
+ Flights booked! {country} {later}!
+ {later} we'll travel around {country} in a campervan.
+ Thinking about {country} {later}, nothing booked yet.
^ We're not going to {country} after all, it'll be {country2}.
^ Cancelled {country}, booked {country2} instead.
^ I had to cancel my trip to {country}.
- My {kin} is flying to {country} {later}.
* I always wanted to know more about {country}, so I got a book.
! Bring me something nice!
? country| Where {is} {N} planning to travel?
? country| What is {Ns} next holiday destination?
? later| When {is} {N} going on the trip?
? later| When will {N} be in {country}?
? n| How long will {N} be travelling?
? kin| Who will go with {Nm} on the trip?
? city| Which city {is} {N} going to?
? country| {K} travel plans
? country| What journey {is} {N} looking forward to?
?n | What became of {Ns} trip to {country}?
?n | {Is} {N} still going to {country}?
?b country| Where did {N} first plan to go?
?h How did {Ns} travel plans change?
?- kin, country| Where is {Ns} {kin} flying?
= flight @tripplan
+ My flight to {city} leaves at {time} {soon}.
+ I fly to {city} {soon}, {time} from the small airport.
+ I'm flying out {soon} at {time}.
+ My flight was delayed by {hours}, I slept on the floor in {city2}.
+ When do you fly? // {soon}, {time}.
+ Missed my connection in {city3} {recent}.
+ They lost my suitcase on the flight from {city4}.
+ The ticket to {city} cost me {price}.
^ They've changed my flight, it leaves at {time2} now.
^ Flight got rebooked: {time2}, same day.
- My {kin} lands at {time} {soon}.
* Two flights of stairs and I'm out of breath.
? time| What time does {Ns} flight leave?
? soon| When {does} {N} fly?
? city| Which city {is} {N} flying to?
? city2| Where {was} {N} stranded?
? city3| Where did {N} miss a connection?
? city4| On which flight did {Ns} suitcase get lost?
? hours| How long was {Ns} flight delayed?
? price| How much did {Ns} plane ticket cost?
? recent| When did {N} miss a connection?
? | What happened on {Ns} flight?
? time| {K} departure time
?n time2| When does {Ns} flight leave now?
?b time| What was the original departure time of {Ns} flight?
?h How was {Ns} flight changed?
= event @event
~ event: a food festival; a comic convention; a book fair; a christening; an art opening; a school reunion
~ event: a wine tasting
~ event: a funeral; a charity gala; a football final; a street parade; a science fair; a poetry slam; a housewarming
~ event: a flea market
~ event: a barn dance; a ballet premiere; an open-air cinema night; a town festival; a tech conference; a baby shower
+ I went to {event} {recent}.
+ I was at {event} in {city} {recent}.
+ What did you get up to {recent}? // I went to {event}.
+ {friend} dragged me to {event} {recent}, and I loved it.
+ {recent} was {event}, I'm still tired.
+ We had {event} {recent}, about {count} people came.
+ I danced until {time} at {event}.
+ You should have come along to {event} {recent}, I had a blast!
- My {kin} organised {event} {recent}.
* I'll come in any event.
? event| What event did {N} attend?
? event| What did {N} go to?
? recent| When did {N} go to {event}?
? city| Where was the event {N} went to?
? friend| Who took {Nm} to {event}?
? count| How many people were at the event {N} told about?
? event| {K} event attended
? | Was {N} at {event}?
?* What events did {N} attend?
?* Which outings did {N} talk about?
= weekend @weekend
~ plan: a hike with friends; a barbecue at my parents'; painting the fence; a trip to the zoo; a day at the spa
~ plan: a board game night
~ plan: a bike ride along the river; cleaning out the garage; a family lunch; camping by the lake
~ plan: a visit to the museum; sleeping in
+ My plan for the weekend is {plan}.
+ This weekend it's {plan} for me.
+ I'm looking forward to {plan} on Saturday.
+ What are you doing this weekend? // {plan}, if it stays dry.
+ Saturday: {plan}. Sunday: nothing at all.
+ I've got {plan} coming up on Sunday.
+ Nothing fancy this weekend, just {plan}.
^ {plan} is cancelled, so it's going to be {plan2} this weekend.
^ Forget {plan}, we're doing {plan2} instead.
- My {kin} is planning {plan} for the weekend.
* I can't believe the weekend is over already.
? plan| What are {Ns} weekend plans?
? plan| What {is} {N} going to do at the weekend?
? plan| What {does} {N} have planned for Saturday or Sunday?
? plan| {K} weekend plans
? plan| How will {N} spend the weekend?
? plan| What {is} {N} up to on the days off?
?n plan2| What {is} {N} doing at the weekend now?
?b plan| What was {Ns} original plan for the weekend?
?h How did {Ns} weekend plans change?
= lost @lost -
~ thing: wallet; house keys; passport; glasses; wedding ring; umbrella; phone; left earring; bike lock key
~ thing: laptop charger; ID card
~ thing: headphones; favourite scarf; bus pass; rucksack; library card; watch; camera
~ spot: on the tram; at the gym; in a taxi; at the airport; on the beach; in the supermarket; at a concert
~ spot: somewhere in the park
+ I lost my {thing} {recent}.
+ I left my {thing} {spot}.
+ I can't find my {thing} anywhere, I think it happened {spot}.
+ Have you seen my {thing}? It's been missing since {weekday}.
+ What's wrong? // I lost my {thing} {spot}.
+ Someone stole my {thing} {spot}.
+ Of course I had to lose my {thing}, right before the holiday.
^ I found my {thing}! It was under the sofa the whole time.
^ Somebody handed in my {thing}, I got it back {recent}.
- My {kin} lost a {thing} {spot}.
* We lost the match three nil.
! Have you asked at the lost property office?
? thing| What did {N} lose?
? spot| Where did {N} lose the {thing}?
? recent| When did {N} lose the {thing}?
? thing| What of {Ns} belongings went missing?
? thing| {K} lost item
? weekday| Since when has {Ns} {thing} been missing?
? thing| What {was} {N} looking for?
?n | Did {N} find the {thing}?
?n | How did {N} get the {thing} back?
?h What happened to {Ns} {thing} in the end?
?* What things {has} {N} lost?
?- kin, thing| What did {Ns} {kin} lose?
= accident @accident -
~ mishap: backed into a lamp post; got hit by a cyclist; slid off the road; flooded the bathroom; set off the sprinklers
~ mishap: got stuck in a lift; locked myself out; dropped my laptop down the stairs; drove into a ditch
~ mishap: fell into the canal
~ mishap: scraped a parked car; set the toaster on fire; got rear-ended at a light; shattered the glass door
+ I {mishap} {recent}.
+ You won't believe it, I {mishap}.
+ So {recent} I {mishap}. Nobody was hurt.
+ Why are you late? // I {mishap}.
+ I had a little accident {recent}. ++ I {mishap}.
+ The repair will cost me {price} because I {mishap}.
+ Worst day: I {mishap} and it started to rain.
- My {kin} had an accident {recent}, nothing serious.
* I found that cafe by accident.
? mishap| What accident did {N} have?
? mishap| What mishap happened to {Nm}?
? recent| When did {N} have the accident?
? price| How much will the repair cost {Nm}?
? mishap| What went wrong for {Nm}?
? mishap| {K} accident
? mishap| What misfortune did {N} tell about?
? mishap| What stupid thing happened to {Nm}?
= party @party +
~ theme: seventies; pirate; Hawaiian; murder mystery; masquerade; cheese; karaoke; fancy dress; pyjama; garden
+ I'm throwing a {theme} party {soon}.
+ You're invited to my {theme} party {soon} at {time}!
+ I'm having {count} people over for a {theme} party.
+ What's the occasion? // My {theme} party {soon}!
+ Our {theme} party {recent} got so loud the police came.
+ I'm planning a surprise party for my {kin} {soon}. Say nothing!
+ The party starts at {time}, theme is {theme}, bring a bottle.
^ The {theme} party is off, I've got to work.
^ Party's moved to {day2}, same place.
- My {kin} throws a {theme} party every year.
* Which party did you vote for?
? soon| When is {Ns} party?
? theme| What is the theme of {Ns} party?
? time| At what time does {Ns} party start?
? count| How many guests {does} {N} expect?
? kin| Who {is} {N} planning a surprise party for?
? | What {is} {N} celebrating or planning?
? theme| {K} party theme
?n | Is {Ns} party still happening as planned?
?h What happened to {Ns} plans for the party?
= gift @gift +
~ gift: silver bracelet; cookbook; record player; pair of hiking boots; hand-knitted jumper; watch; potted orchid
~ gift: tent; telescope
~ gift: box of truffles; spa voucher; coffee grinder; leather bag; signed novel; fountain pen; bicycle; pasta maker
~ gift: necklace
+ My {kin} gave me a {gift} for my birthday.
+ I got a {gift} from {friend}.
+ {friend} surprised me with a {gift} {recent}.
+ What did you get for Christmas? // A {gift} from my {kin}.
+ Look what I got, a {gift}! From {friend}.
+ Unwrapped a {gift} {recent}, my {kin} knows me so well.
+ Best present ever: {friend} got me a {gift}.
- I gave my {kin} a {gift} {recent}.
- I'm getting {friend} a {gift} for the wedding.
* She has a gift for languages.
? gift| What present did {N} receive?
? gift| What {was} {N} given?
? gift| What did {friend} give {Nm}?
? friend| Who gave {Nm} the {gift}?
? kin| From whom did {N} get the {gift}?
? recent| When did {N} get the {gift}?
? gift| {K} present received
?* What presents did {N} get?
?- kin, gift| What did {N} give {his} {kin}?
?- friend, gift| What {is} {N} giving {friend}?
= dream @dream
~ dream: I was late for an exam; my teeth fell out; I could fly over the city; a whale lived in my bath
~ dream: I was back at school
~ dream: I was on stage and forgot the words; the cat could talk; I missed every train; I was the queen of Norway
+ Last night I dreamt that {dream}.
+ I had a weird dream: {dream}.
+ I keep having the same dream, that {dream}.
+ Slept well? // Not really, I dreamt that {dream}.
+ In my dream {dream}. I woke up sweating.
+ It's always the same dream with me: {dream}.
- My {kin} dreamt that {dream}.
* Owning a boat would be a dream.
? dream| What did {N} dream about?
? dream| What strange dream did {N} have?
? dream| {K} dream
? dream| What goes on in {Ns} dreams?
? dream| What did {N} see while asleep?
?- kin, dream| What did {Ns} {kin} dream?
= weatherstory @weatherstory
~ storm: a power cut; a flooded cellar; a fallen tree in the drive; hail damage on the car; a burst pipe; no heating
~ storm: a leaking roof
+ The storm {recent} left us with {storm}.
+ We had {storm} {recent}, what a mess.
+ I've got {storm}. ++ It started {recent}, the insurance won't answer the phone.
+ Did the storm hit you? // Yes, {storm}.
+ {storm}, that's what I came home to {recent}.
+ I've been dealing with {storm} for {n} days.
+ The damage here: {storm}, about {dear} in all.
- My {kin} had {storm} {recent}.
* It was a storm in a teacup.
? storm| What damage did {N} have at home?
? storm| What trouble did the weather or the house cause {Nm}?
? recent| When did the damage at {Ns} home happen?
? n| How many days {has} {N} been dealing with the trouble at home?
? dear| How high is the damage at {Ns} place?
? storm| {K} house damage
? storm| What emergency did {N} have at home?
"""
