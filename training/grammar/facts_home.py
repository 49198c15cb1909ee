"""Facts about home: where one lives, moves, rents, renovates, and what grows there."""

TABLE = """
= home @home
+ I live in {city}.
+ I'm based in {city} these days.
+ I've been living in {city} {since}.
+ We've got a little flat in {city}, not far from the station.
+ {city} is home for me now.
+ Still here in {city}, can't imagine leaving.
+ Where are you living at the moment? // {city}, actually.
+ Which part of the world are you in? // I'm in {city}, have been {since}.
+ Here in {city} everybody knows everybody, that's what I like about living here.
+ My place in {city} is tiny but the view is worth it.
^ So it's official, I've left {city} and I'm living in {city2} now.
^ We packed up everything and settled in {city2} {recent}.
^ I'm not in {city} any more, I've got a flat in {city2}.
^ Greetings from {city2}, my new home!
- My {kin} lives in {city}.
- My {kin} has a house in {city}.
- {friend} is based in {city}, lucky thing.
* I was only in {city} for a night, changing trains.
* There was a documentary about {city} on last night.
! I'd love to visit you there.
! {city} is lovely, isn't it?
? city| Where does {N} live?
? city| In which city {does} {N} live?
? city| Where {is} {N} based?
? city| What is {Ns} current home city?
? city| {K} place of residence
? city| Where is {Ns} home?
? city| What city {is} {N} living in?
? since| How long {has} {N} been living there?
? | {Does} {N} live in {city}?
? city| {K} city
?n city2| Where {does} {N} live now?
?n city2| What is {Ns} current city?
?n city2| To which city did {N} relocate?
?b city| Where did {N} live before moving?
?b city| What was {Ns} previous place of residence?
?h How did {Ns} place of residence change?
?h Which cities {has} {N} lived in?
?= city| In which city do both {N} and {M} live?
?- kin, city| Where does {Ns} {kin} live?
= move @home +
+ I moved to {city} {past}.
+ I moved from {city2} to {city} {past}.
+ We finally made the move to {city} {past}, boxes everywhere.
+ Moved house {past}! {city} it is.
+ {past}, I packed my whole life into a van and drove to {city}.
+ When did you get to {city}? // I moved here {past}.
+ I have big news. ++ I've moved to {city}!
+ The move to {city} {past} nearly broke me, but I'm here.
+ I left {city2} behind and relocated to {city} because of the rent.
+ I came to {city} because my partner got a job here.
- My {kin} moved to {city} {past}.
- {friend} just moved to {city}, we helped carry the sofa.
* That film really moved me, I cried.
* They moved my appointment to another day.
! How was the move?
! Have you unpacked yet?
? past| When did {N} move?
? past| When did {N} move to {city}?
? city| Where did {N} move to?
? past, city| Since when has {city} been {Ns} home?
? city2| Where did {N} live before {city}?
? city2| From where did {N} move?
? city| What city did {N} relocate to?
? past| {K} moving date
? city| {K} new city
?- kin, city| Where did {Ns} {kin} move?
?- kin, past| When did {Ns} {kin} move?
= movingplan @home +
+ I'm moving to {city} {later}.
+ We're planning to move to {city} {later}, if the sale goes through.
+ The lease is signed: {later} I'll be in {city}.
+ Counting the days until I leave for {city} for good. It happens {later}.
+ Any big plans? // Yes, moving to {city} {later}.
+ I've decided to relocate to {city}, for the sea air.
+ {later} the moving van comes and then it's {city}, here I come.
+ I'll be leaving for {city} {later} because my rent has doubled.
^ Change of plan: we're going to {city2} instead of {city}.
^ The {city} thing fell through, it'll be {city2} now.
^ Forget {city}, I signed for a place in {city2} today.
- My {kin} is thinking of moving to {city}.
- My {kin} wants to move to {city} {later}.
* The chess club is moving to a bigger room {later}.
! Don't forget to redirect your post.
? later| When {is} {N} going to move?
? later| When will {N} leave for {city}?
? city| Where {is} {N} planning to move?
? city| What city will {N} be living in?
? | {Is} {N} going to move away?
? city| {K} relocation plans
? city| Which place has {N} chosen for the move?
? later| How soon is {Ns} move?
?n city2| Where {is} {N} moving now?
?n city2| What is the new destination of {Ns} move?
?b city| Where did {N} first plan to move?
?h How did {Ns} moving plans change?
= dwelling @dwelling
~ dwelling: studio flat>home; two-bedroom flat>home; houseboat>home; terraced house>home; farmhouse>home; loft>home
~ dwelling: basement flat>home; bungalow>home; tiny house>home; cabin in the woods>home; shared house>home
~ dwelling: converted barn>home
+ I live in a {dwelling} with a view of the [park|river|car park|church].
+ My place is a {dwelling}, {n} rooms if you count the hallway.
+ We bought a {dwelling} {inyear}.
+ What's your place like? // A {dwelling}, nothing fancy.
+ I've been in this {dwelling} {since}.
+ Living in a {dwelling} isn't as romantic as it sounds.
+ Found a {dwelling} to rent, can you believe it?
+ Home is a {dwelling} for me, and I adore it.
- My {kin} lives in a {dwelling}.
- My {kin} bought a {dwelling} {past}.
* We rented a {dwelling} for the holidays, just for a week.
? dwelling| What kind of home {does} {N} have?
? dwelling| What type of building {does} {N} live in?
? dwelling| What sort of place {does} {N} live in?
? inyear| When did {N} buy the {dwelling}?
? since| How long {has} {N} been in the {dwelling}?
? n| How many rooms does {Ns} home have?
? dwelling| Describe {Ns} home.
? dwelling| {K} type of housing
? | {Does} {N} live in a {dwelling}?
?- kin, dwelling| What does {Ns} {kin} live in?
= rent @rent
~ rent: $1,450; £980; €1,120; 850 euros; 1,300 dollars; £1,150; $2,100; 640 euros; €790; 1,600 a month; $975
+ My rent is {rent}, which is mad for what it is.
+ I pay {rent} in rent every month.
+ {rent} for one room and a kitchen. That's what my landlord charges.
+ What do you pay for your place? // {rent}, bills included.
+ The flat costs me {rent} a month.
+ Half my wages go on rent, it's {rent} now.
+ Landlord wants {rent} a month from me, can you imagine?
+ Rent day tomorrow, there go another {rent}.
^ They've put my rent up to {rent2}.
^ New contract: I'm paying {rent2} now instead of {rent}.
^ Got the letter from the landlord, it'll be {rent2} a month {later}.
- My {kin} pays {rent} for a room.
- My {kin} rents a place for {rent} a month.
* I rented a car for the weekend, it was surprisingly cheap.
! That's daylight robbery.
! That's actually not bad for round there.
? rent| How much rent {does} {N} pay?
? rent| What does {Ns} flat cost per month?
? rent| What is {Ns} monthly rent?
? rent| How much does {N} spend on housing?
? rent| {K} rent
? rent| How expensive is {Ns} apartment?
? rent| What does {N} have to pay the landlord?
?n rent2| How much rent {does} {N} pay now?
?n rent2| What is {Ns} current monthly rent?
?b rent| What was {Ns} rent before it went up?
?h By how much did {Ns} rent go up?
?h How has {Ns} rent changed?
= renovation @renovation
~ room: kitchen; bathroom; attic; basement; spare bedroom; hallway; living room; garage; shed; balcony; staircase
~ room: nursery
~ work: new tiles; a new floor; fresh paint; underfloor heating; new windows; built-in shelves; a walk-in shower
~ work: insulation
+ We're redoing the {room} at the moment, {work} and everything.
+ I'm renovating my {room}.
+ The builders start on the {room} {soon}.
+ Dust everywhere. The {room} is getting {work}.
+ We finished the {room} {recent}, {work} and all.
+ The {room} has cost us {dear} so far.
+ What's all that noise at yours? // Builders in the {room}.
+ I spent the weekend pulling out the old {room}, my arms are dead.
+ Got a quote of {dear} to do up the {room}.
+ {work} for the {room}, that's the project this year.
- My {kin} is having the {room} done up.
- My {kin} put {work} in {recent}.
* The {room} in the hotel was bigger than my flat.
! Send pictures when it's done!
? room| Which room {is} {N} renovating?
? room| What part of the house {is} {N} doing up?
? work| What improvements {is} {N} making to the {room}?
? dear| How much does the renovation cost {Nm}?
? soon| When do the builders start at {Ns} place?
? recent| When was the renovation of {Ns} {room} finished?
? room| {K} home improvement project
? room| What building work is going on at {Ns} home?
? room| What home project {is} {N} busy with?
?* What has {N} renovated?
?* Which rooms {has} {N} worked on?
= garden @garden
~ plant: tomatoes>vegetables; courgettes>vegetables; runner beans>vegetables; roses>flowers; dahlias>flowers
~ plant: chillies>vegetables
~ plant: sweet peas>flowers; strawberries>fruit; raspberries>fruit; pumpkins>vegetables; leeks>vegetables
~ plant: carrots>vegetables
~ plant: peas>vegetables
~ plant: sunflowers>flowers; marigolds>flowers; onions>vegetables; blackberries>fruit; potatoes>vegetables
~ plant: tulips>flowers
+ I planted {plant} in the garden {recent}.
+ My {plant} are coming up at last.
+ I grow {plant} on the balcony.
+ You should see my {plant}, they've gone wild this year.
+ I've been growing {plant} {since}.
+ Slugs ate all my {plant}.
+ What are you growing this year? // {plant}, mostly.
+ Spent the whole afternoon in the garden putting in {plant}.
+ I got an allotment {inyear} and it's mostly {plant}.
+ Harvested the first {plant} today!
- My {kin} grows {plant}.
- My {kin} has an allotment full of {plant}.
* I bought {plant} at the market.
* We had dinner at a place called the Garden.
? plant| What {does} {N} grow?
? plant| What's growing in {Ns} garden?
? plant| Which {plant^} {does} {N} grow?
? recent, plant| When did {N} plant the {plant}?
? since| How long {has} {N} been growing {plant}?
? inyear| When did {N} get an allotment?
? plant| {K} garden plants
? plant| Which plants {does} {N} look after?
?* What has {N} got in {his} garden?
?* Which plants {does} {N} grow?
?= plant| What do {N} and {M} both grow?
?- kin, plant| What does {Ns} {kin} grow?
= housemates @housemates
+ I share with {few} other people.
+ My flatmate {friend} has been driving me mad with the dishes.
+ I live with {friend} from uni.
+ New flatmate! {friend} moved in {recent}.
+ Do you live alone? // No, with {friend}.
+ There's me and {friend} in the flat, that's it.
+ It's {friend} who I share the flat with, we met through an ad.
+ I've been sharing a flat with {friend} {lately}.
^ {friend} moved out, so now I live with {friend2}.
^ I've got a new flatmate, {friend2}, since {friend} left.
- My {kin} shares a house with {n} people.
- My {kin} lives with a girl called {woman}.
* I shared a taxi with {friend} on Monday.
? friend| Who {does} {N} live with?
? friend| What is the name of {Ns} flatmate?
? friend| Who shares a flat with {Nm}?
? few| How many people {does} {N} share with?
? recent| When did {Ns} flatmate move in?
? lately| How long {has} {N} been sharing with {friend}?
? friend| {K} roommate name
? friend| Who is {Ns} roommate?
?n friend2| Who {does} {N} live with now?
?n friend2| Who is {Ns} new flatmate?
?b friend| Who used to share the flat with {Nm}?
?h Which flatmates {has} {N} had?
= neighbours @neighbours
~ nuis: practises the trombone at night>noise; throws parties every weekend>noise; parks across my drive>parking
~ nuis: feeds the pigeons>pigeons; never sorts the rubbish>rubbish; smokes under my window>smoke
~ nuis: mows the lawn at seven>noise
~ nuis: borrows my tools and never returns them>tools; lets the dog bark all day>noise
~ nuis: leaves shoes all over the stairs>mess
+ The man next door {nuis}.
+ My neighbour {friend} {nuis}, I can't take it any more.
+ I had words with my neighbour {recent} because that man {nuis}.
+ Why so grumpy? // My neighbour {nuis}.
+ The woman upstairs {nuis} and I'm about to move.
+ {friend} from next door brought me soup when I was ill.
+ We have a new neighbour, {friend}, who came round with cake {recent}.
+ My neighbour {friend} waters my plants when I'm away.
- My {kin} has a neighbour who {nuis}.
* We beat our neighbours at football, the village up the road I mean.
? nuis| What annoys {Nm} about the neighbour?
? nuis| Why {is} {N} fed up with the neighbour?
? nuis| What problem {does} {N} have with the people next door?
? friend| What is {Ns} neighbour called?
? friend| Who lives next door to {Nm}?
? recent| When did {N} have contact with the neighbour?
? nuis| {K} neighbour trouble
? | How {does} {N} get on with the neighbour?
= furniture @purchase
~ thing: sofa; bed; mattress; dining table; bookcase; desk; wardrobe; armchair; rug; floor lamp; dishwasher
~ thing: washing machine
~ thing: fridge; coffee table; standing desk; freezer; curtain rail; chest of drawers
~ shop: Ikea; a flea market; eBay; a charity shop; a carpenter in town; an outlet store; a neighbour; an antiques fair
+ I bought a new {thing} {recent}.
+ I got a {thing} from {shop} for {price}.
+ The new {thing} arrived {recent} and it doesn't fit through the door.
+ We finally have a proper {thing}. From {shop}!
+ What did you spend your bonus on? // A {thing}.
+ Paid {price} for a {thing}, my biggest purchase this year.
+ Found a lovely old {thing} at {shop}, {price} after haggling.
+ My {thing} broke so I had to order another, {price} gone just like that.
- My {kin} gave {price} for a {thing}.
- My {kin} is selling a {thing}.
* The hotel {thing} was terrible.
? thing| What did {N} buy for the home?
? thing| What piece of furniture or equipment did {N} get?
? price| How much did {N} pay for the {thing}?
? price| What did {Ns} {thing} cost?
? shop| Where did {N} get the {thing}?
? shop| From whom or where did {Ns} {thing} come?
? recent| When did {N} get the {thing}?
? thing| {K} home purchase
?* What things has {N} bought for the home?
?* Which purchases for the house did {N} mention?
"""
