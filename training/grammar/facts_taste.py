"""Facts about likes, dislikes, hobbies, sports, music, books, shows."""

TABLE = """
= favfood @favfood
+ My favourite food is {food}.
+ I could eat {food} every day.
+ Nothing beats {food}, honestly.
+ If I had to choose a last meal, it'd be {food}.
+ What's your favourite dish? // {food}, no contest.
+ I'm obsessed with {food}.
+ {food} is my absolute comfort food.
+ You know me, I always order {food}.
+ My mum's {food} is the best thing in the world, I'd pick it over anything.
^ I think {food2} has overtaken {food} as my favourite.
^ I've gone off {food} a bit, my favourite is {food2} now.
- My {kin} loves {food}.
- My {kin} would live on {food} alone.
* They've run out of {food} at the canteen.
* I tried {food} once and didn't care for it.
? food| What is {Ns} favourite food?
? food| What {does} {N} like to eat most?
? food| What dish {does} {N} love?
? food| {K} favourite meal
? food| What should I cook to please {Nm}?
? food| What would {N} choose as a last meal?
? food| Which meal is {N} crazy about?
?n food2| What is {Ns} favourite food now?
?b food| What used to be {Ns} favourite dish?
?h How did {Ns} taste in food change?
?= food| What food do both {N} and {M} love?
?- kin, food| What does {Ns} {kin} like to eat?
= dislike @dislike
~ stuff: olives; mushrooms; blue cheese; aubergine; liver; anchovies; raw onions; coconut; beetroot; celery; oysters
~ stuff: marzipan
~ stuff: black coffee; liquorice; tofu; brussels sprouts; pineapple on pizza; whisky; raisins; goat's cheese
+ I can't stand {stuff}.
+ I hate {stuff}.
+ Anything but {stuff}, please.
+ {stuff}? Yuck. Never.
+ Is there any food you don't like? // {stuff}!
+ I've never been able to eat {stuff}, even the smell puts me off.
+ As a child I was forced to eat {stuff}, and I've loathed it ever since.
+ I pick out the {stuff} whenever somebody serves it to me.
- My {kin} hates {stuff}.
* I spilled {stuff} all over the floor.
? stuff| What food {does} {N} dislike?
? stuff| What {does} {N} hate to eat or drink?
? stuff| What can't {N} stand?
? stuff| {K} disliked food
? stuff| What should not be served to {Nm}?
? stuff| What taste {does} {N} find disgusting?
?* Which foods {does} {N} not like?
?= stuff| What do {N} and {M} both hate to eat?
?- kin, stuff| What does {Ns} {kin} dislike?
= favfilm @film
+ My favourite film is {film}.
+ I've seen {film} about {n} times.
+ {film} is the best film ever made, fight me.
+ What's your all-time favourite movie? // {film}.
+ I cry every time I watch {film}. It's my number one.
+ We watched {film} again {recent}, still my favourite.
+ I never get tired of {film}.
+ If you haven't seen {film}, you haven't lived. Top of my list.
- My {kin} loves {film}.
* {film} is on at the cinema next week, not sure I'll go.
? film| What is {Ns} favourite film?
? film| Which movie {does} {N} love most?
? film| {K} favourite movie
? n| How many times {has} {N} seen {film}?
? recent| When did {N} last watch {film}?
? film| What film would {N} recommend?
? film| Which movie can {N} watch over and over?
?= film| Which film do {N} and {M} both love?
= readbook @book
+ I'm reading {book} at the moment.
+ I just finished {book}.
+ I read {book} {recent} and couldn't put it down.
+ {book} was a bit of a slog for me.
+ What are you reading? // {book}, nearly done.
+ Finished {book} on the train, I was in tears.
+ I've started {book}, about {count} pages in.
+ For our book club I had to read {book}.
+ I got through {book} in {n} days.
- My {kin} lent me {book}, haven't opened it.
- My {kin} is reading {book}.
* Did you book the table?
! No spoilers please!
? book| What book did {N} talk about?
? book| What did {N} read?
? recent| When did {N} read {book}?
? n| How many days did {N} need to read {book}?
? count| How far did {N} get in {book}?
? book| {K} reading
? | {Has} {N} read {book}?
?* Which books {has} {N} read?
?* What novels did {N} mention reading?
?= book| Which book have both {N} and {M} read?
= author @author
+ My favourite author is {author}.
+ I've read everything by {author}.
+ I'd read {author}'s shopping list.
+ Who's your favourite writer? // {author}, easily.
+ I went to a talk about {author} {recent}, as a fan of many years.
+ I got into {author} {inyear}, now I own all the books.
+ Nobody writes like {author}, I'm a huge fan.
- My {kin} is a fan of {author}.
* My cousin wants to become an author.
? author| Who is {Ns} favourite author?
? author| Which writer {does} {N} admire?
? author| Whose books {does} {N} read?
? recent| When did {N} go to the talk about {author}?
? inyear| When did {N} discover {author}?
? author| {K} favourite writer
? author| Which author's works {does} {N} own?
?= author| Which author do {N} and {M} both like?
= show @show
+ I'm watching {show} at the moment, season {few}.
+ I binged {show} over the weekend.
+ I'm hooked on {show}.
+ What are you watching these days? // {show}. So good.
+ I finished {show} {recent}, what do I do with my life now?
+ Every {weekday} we watch {show} with pizza.
+ I gave up on {show} after {few} episodes.
+ I've been rewatching {show} from the start.
- My {kin} keeps telling me to watch {show}.
- My {kin} is on season {few} of {show}.
* Show me the pictures when you get back!
? show| What series {is} {N} watching?
? show| What TV show did {N} talk about?
? recent| When did {N} finish {show}?
? few| How far did {N} get in {show}?
? weekday| On which day {does} {N} watch {show}?
? show| {K} TV series
? | {Does} {N} watch {show}?
?* Which shows {has} {N} watched?
?* What series did {N} mention watching?
?= show| Which show do both {N} and {M} watch?
= favband @band
+ My favourite band is {band}, hands down. Well, band or singer.
+ I've been listening to {band} nonstop.
+ {band} got me through school, my number one forever.
+ What music do you like? // {band}, mostly.
+ I've been a fan of {band} {since}.
+ I own every album by {band}.
+ If {band} is on, I turn it up. Best music there is.
- My {kin} is obsessed with {band}.
* I need a rubber band.
? band| What is {Ns} favourite band or artist?
? band| Whose music {does} {N} like?
? band| What music {does} {N} listen to?
? since| How long {has} {N} been a fan of {band}?
? band| {K} favourite music
? band| Whose albums {does} {N} own?
? | {Is} {N} a fan of {band}?
?= band| Which artist do {N} and {M} both like?
?- kin, band| What music does {Ns} {kin} like?
= concert @concert +
+ I saw {band} live {recent}.
+ I saw {band} in {city} {past}, best night of my life.
+ We went to a {band} concert {recent}.
+ What did you do {recent}? // I saw {band} live!
+ My ears are still ringing from {band} {recent}.
+ Got tickets for {band} in {city2} {later}!
+ I paid {price} for {band} tickets, no regrets.
+ My first concert ever was {band}, {inyear}.
- My {kin} saw {band} in {city} {past}.
* We acted in concert, so to speak.
? band| Which artist {does} {N} like to hear live?
? recent| When did {N} go to the {band} concert?
? city| Where did {N} see {band}?
? city2| Where will {N} see {band}?
? price| How much did {N} pay for the concert tickets?
? later| When {is} {N} going to see {band}?
? inyear| When was {Ns} first concert?
? band| {K} concert
? band| What live music did {N} talk about?
?* Which bands {has} {N} seen live?
?* What concerts did {N} talk about?
= colour @colour
+ My favourite colour is {colour}.
+ I painted my bedroom {colour}, it's my colour.
+ Everything I own is {colour}, I love it.
+ What's your favourite colour? // {colour}.
+ If it comes in {colour}, I'll buy it.
+ I've always loved {colour}, even my bike is {colour}.
+ {colour} makes me happy, don't ask me why. No other colour does.
- My {kin} likes {colour}.
* My neighbour's new car is {colour}.
? colour| What is {Ns} favourite colour?
? colour| Which colour {does} {N} like most?
? colour| {K} favourite color
? colour| In what colour should a present for {Nm} be?
? colour| What colour {does} {N} prefer?
?= colour| What is the favourite colour of both {N} and {M}?
= seasonfav @seasonfav
+ My favourite season is {season}.
+ I'm a {season} person.
+ {season} can't come soon enough, best time of the year.
+ Which season do you like best? // {season}, always.
+ I feel most alive in {season}.
+ Nothing like {season}, I wish it were {season} all year.
- My {kin} hates {season}.
* The football season starts soon.
? season| What is {Ns} favourite season?
? season| Which time of the year {does} {N} like best?
? season| {K} favourite season
? season| When in the year {is} {N} happiest?
? season| Which part of the year {does} {N} prefer?
?= season| Which season do {N} and {M} both prefer?
= sport @sport
+ Every {weekday} it's {sport} for me, rain or shine.
+ I do {sport} twice a week.
+ I've taken up {sport}.
+ I've been doing {sport} {since}.
+ {sport} on {weekday}s keeps me sane.
+ Do you do any sport? // {sport}, when I find the time.
+ Just back from {sport}, I'm sore all over.
+ I started {sport} {past}.
+ We won at {sport} {recent}, my whole team went out after.
+ I've joined a club for {sport}.
^ I've dropped {sport} and switched to {sport2}.
^ No more {sport} for me since my knee. It's {sport2} now.
- My {kin} is into {sport}.
- My {kin} is really good at {sport}.
* I only watch {sport} on telly.
* You're a good sport!
? sport| What sport {does} {N} do?
? sport| How {does} {N} keep active?
? sport| What sports {is} {N} into?
? sport| {K} sport
? since| How long {has} {N} been doing {sport}?
? past| When did {N} start {sport}?
? weekday| On what day {does} {N} do {sport}?
? | {Does} {N} do {sport}?
? sport| What physical activity {does} {N} like?
?n sport2| What sport {does} {N} do now?
?b sport| What sport did {N} use to do?
?h How did {Ns} sporting life change?
?* Which sports {does} {N} do?
?* {K} sports
?* What sports {has} {N} mentioned doing?
?= sport| What sport do both {N} and {M} do?
?- kin, sport| What sport does {Ns} {kin} do?
= instrument @instrument
+ I play the {instrument}.
+ I'm learning the {instrument}.
+ I've played the {instrument} {since}.
+ Started {instrument} lessons {recent}.
+ I used to play the {instrument} at school.
+ Do you play anything? // The {instrument}, badly.
+ I practise the {instrument} every evening, my neighbours love me.
+ I bought a second-hand {instrument} for {price}.
+ I'm in an orchestra, {instrument} section.
- My {kin} plays the {instrument}.
- My {kin} teaches the {instrument}.
* The doctor laid out the instruments.
? instrument| What instrument {does} {N} play?
? instrument| Which musical instrument has {N} learned?
? since| How long {has} {N} been playing the {instrument}?
? recent| When did {N} start music lessons?
? price| How much did {Ns} {instrument} cost?
? instrument| {K} musical instrument
? | {Does} {N} play an instrument?
? instrument| What music-making is {N} into?
?* Which instruments does {N} play?
?= instrument| Which instrument do {N} and {M} both play?
?- kin, instrument| What instrument does {Ns} {kin} play?
= hobby @hobby
+ I'm really into {hobby} at the moment.
+ I've been doing {hobby} {since}.
+ My new hobby is {hobby}.
+ {hobby} is how I switch off.
+ What do you do in your free time? // {hobby}, mostly.
+ I took up {hobby} {past}.
+ I spend every weekend on {hobby}.
+ I've spent {price} on {hobby} this year, it's an addiction.
+ I got into {hobby} through {friend}.
+ There's nothing like {hobby} after a long day.
^ I got bored of {hobby}, now it's all about {hobby2}.
^ I've swapped {hobby} for {hobby2}.
- My {kin} is into {hobby}.
- My {kin} got me a book about {hobby}.
* There's a fair for {hobby} in town, I'm not going.
? hobby| What is {Ns} hobby?
? hobby| What {does} {N} do in {his} spare time?
? hobby| How {does} {N} relax?
? hobby| {K} hobby
? since| How long {has} {N} been doing {hobby}?
? past| When did {N} take up {hobby}?
? price| How much {has} {N} spent on {hobby}?
? friend| Who got {Nm} into {hobby}?
? hobby| What leisure activity {does} {N} enjoy?
?n hobby2| What is {Ns} hobby now?
?b hobby| What was {Ns} hobby before?
?h How did {Ns} interests change?
?* What hobbies {does} {N} have?
?* What does {N} enjoy in {his} free time?
?= hobby| What hobby do {N} and {M} share?
?- kin, hobby| What hobby does {Ns} {kin} have?
= collection @hobby
~ items: vintage postcards; stamps; vinyl records; snow globes; fridge magnets; old cameras; coins; teapots
~ items: first editions
~ items: enamel pins; comic books; sea glass; typewriters; film posters; fountain pens; pressed flowers; trainers
~ items: old maps
+ I collect {items}.
+ I've got about {count} {items} by now.
+ My collection of {items} is taking over the flat.
+ I've been collecting {items} {since}.
+ What's in all those boxes? // My {items}. All {count} of them.
+ Found some rare {items} for my collection {recent}.
+ I started collecting {items} when I was {youth}.
+ Every time I travel I bring home {items}. {count} so far.
- My {kin} collects {items}.
* I have to collect a parcel.
? items| What {does} {N} collect?
? items| What is in {Ns} collection?
? count| How many {items} {does} {N} have?
? since| How long {has} {N} been collecting {items}?
? youth| At what age did {N} begin collecting {items}?
? items| {K} collection
? items| Which objects {does} {N} gather at home?
?* What things {does} {N} collect?
?- kin, items| What does {Ns} {kin} collect?
= recipe @recipe
+ I made {food} from scratch {recent}.
+ I cooked {food} for {n} people {recent}.
+ My {food} turned out perfectly, the secret is [lemon zest|a pinch of cinnamon|fish sauce|brown butter].
+ I'm making {food} tonight.
+ What's for dinner at yours? // {food}, homemade.
+ I tried a new recipe for {food} {recent}, disaster.
+ I learned to cook {food} from {friend}.
+ Burned the {food} {recent}, we ordered pizza.
- My {kin} makes the best {food}.
* That's a recipe for disaster.
! Send me the recipe!
? food| What did {N} cook?
? food| What dish did {N} make?
? recent| When did {N} make {food}?
? n| For how many people did {N} cook?
? friend| Who taught {Nm} to make {food}?
? | How did {Ns} {food} turn out?
? food| {K} cooking
?* Which dishes {has} {N} cooked?
= coffee @coffee
~ drink: flat white; black coffee; oat milk latte; green tea; peppermint tea; double espresso; hot chocolate
~ drink: builder's tea
~ drink: matcha; decaf cappuccino; chai; iced coffee; Earl Grey; cortado
+ I always have {drink} in the morning.
+ My usual is {drink}.
+ I drink {few} cups of {drink} a day.
+ What can I get you? // {drink} for me, as always.
+ I don't function without {drink}.
+ {drink}, no sugar, that's how I take it.
+ I order {drink} wherever I go.
^ I've switched from {drink} to {drink2}.
^ I'm off {drink}, it's {drink2} for me now.
- My {kin} only drinks {drink}.
* I spilled {drink} on the keyboard.
? drink| What {does} {N} usually drink?
? drink| What is {Ns} usual order at a cafe?
? drink| What hot or cold drink {does} {N} prefer?
? few| How many cups {does} {N} drink a day?
? drink| {K} coffee order
? drink| What should I order for {Nm}?
?n drink2| What {does} {N} drink now?
?b drink| What did {N} drink before?
?h How did {Ns} drinking habits change?
"""
