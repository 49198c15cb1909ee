"""Facts about a life: age, origin, childhood, languages, beliefs, goals."""

TABLE = """
= birthday @birthday
+ My birthday is {day}.
+ I was born on {day}.
+ It's my birthday {soon}!
+ When's your birthday? // {day}.
+ I turn {age} on {day}.
+ {day} is my birthday, put it in your calendar.
+ I'm having a birthday party {soon}.
+ Born on {day}, so I'm always freezing or sweating at my own party.
- My {kin}'s birthday is {day}.
- It's my {kin}'s birthday {soon}.
* I found the perfect birthday card in that shop.
? day| When is {Ns} birthday?
? day| When was {N} born?
? day| What is {Ns} date of birth?
? soon| When {does} {N} celebrate {his} birthday?
? age| How old will {N} be on {his} birthday?
? day| {K} birthday
? day| On what date should I congratulate {Nm}?
?- kin, day| When is the birthday of {Ns} {kin}?
= age @birthday
+ I'm {age}.
+ I turned {age} {recent}.
+ I'm {age} years old and still can't drive.
+ How old are you, if I may ask? // {age}.
+ At {age} I'm the oldest in the class.
+ {age} and I still feel like a teenager.
+ I'll be {age} {soon}, no party please.
+ My knees say eighty, my passport says {age}.
- My {kin} is {age}.
- My {kin} turned {age} {recent}.
* It took ages to get here.
? age| How old {is} {N}?
? age| What is {Ns} age?
? age| {K} age
? recent| When was {Ns} last birthday?
? soon| When will {N} turn {age}?
? age| What age {is} {N}?
?- kin, age| How old is {Ns} {kin}?
= hometown @hometown
+ I grew up in {city}.
+ I'm originally from {city}.
+ I was born and raised in {city}.
+ My family's from {city}, that's where I spent my childhood.
+ Where are you from originally? // {city}.
+ I was born in {city}, but we left when I was {youth}.
+ Going back to {city} always feels odd. I went to school there.
+ You can tell by my accent that I'm from {city}.
- My {kin} was born in {city}.
- My {kin} comes from {city}.
* The train to {city} was packed.
? city| Where {is} {N} from?
? city| Where did {N} grow up?
? city| What is {Ns} home town?
? city| Where was {N} born?
? youth| At what age did {N} leave {city}?
? city| {K} birthplace
? city| Where {does} {N} come from originally?
? city| In what town did {N} spend {his} childhood?
?= city| Where did both {N} and {M} grow up?
?- kin, city| Where is {Ns} {kin} from?
= childhood @childhood
~ memory: built a treehouse with my dad; kept snails in a shoebox; sang in a boys' choir; lived above a bakery
~ memory: had a stammer
~ memory: ran away with the circus for a day; spent the summers on a farm; shared a room with three others
~ memory: stole cherries
~ memory: wanted to be an astronaut; read under the blanket; moved schools six times
~ memory: slept in a bunk bed until I was twenty
+ As a child I {memory}.
+ When I was little, I {memory}.
+ I {memory} when I was {youth}.
+ Fun fact: as a kid I {memory}.
+ What were you like as a kid? // Well, I {memory}.
+ One of my first memories is from when I was {youth} and {memory}.
+ Back in primary school I {memory}.
- My {kin} {memory} as a child.
* He's acting like a child again.
? memory| What did {N} do as a child?
? memory| What was {Ns} childhood like?
? youth| How old was {N} in that childhood story?
? memory| What {does} {N} remember from childhood?
? memory| {K} childhood memory
? memory| What happened when {N} was a kid?
? memory| What story did {N} tell about {his} early years?
?* What do we know about {Ns} childhood?
= languages @languages
+ I speak {language}.
+ I'm learning {language}.
+ I've been learning {language} {since}.
+ My mother tongue is {language}.
+ I started {language} lessons {recent}.
+ How many languages do you speak? // English and {language}.
+ I speak {language} with my grandmother.
+ I can order food in {language}, that's about it.
+ I passed my {language} certificate {recent2}.
+ I grew up speaking {language} at home.
- My {kin} speaks {language}.
- My {kin} is learning {language}.
* The {language} restaurant round the corner is great.
* We watched a film in {language} with subtitles, didn't understand a word.
? language| Which language besides English matters to {Nm}?
? language| Which foreign language {does} {N} know?
? since| How long {has} {N} been learning {language}?
? recent| When did {N} start {his} {language} lessons?
? recent2| When did {N} pass the {language} exam?
? | Can {N} speak {language}?
? language| {K} language
? language| What language skills {does} {N} have?
?* Which languages {does} {N} know?
?* {K} languages
?= language| Which language do {N} and {M} have in common?
?- kin, language| Which language does {Ns} {kin} speak?
= religion @religion
~ faith: Catholic; Buddhist; Muslim; Jewish; Hindu; Sikh; Quaker; Lutheran; atheist; Greek Orthodox; agnostic; Methodist
+ I was raised {faith}.
+ I'm {faith}.
+ I became {faith} {inyear}.
+ We're a {faith} family, so the holidays are a big thing.
+ Are you religious? // I'm {faith}, more or less.
+ I've been {faith} all my life, but I rarely talk about it.
+ I consider myself {faith}.
- My {kin} is {faith}.
- My {kin} became {faith} {inyear}.
* He follows football religiously.
? faith| What is {Ns} religion?
? faith| What faith {does} {N} have?
? faith| What {does} {N} believe in?
? inyear| When did {N} become {faith}?
? faith| {K} religion
? | {Is} {N} religious?
? faith| What are {Ns} religious views?
?- kin, faith| What is the religion of {Ns} {kin}?
= politics @politics
~ cause: bike lanes; the climate; animal rights; rent control; better schools; a local library; women's rights
~ cause: open data; clean rivers
+ I went to a demo for {cause} {recent}.
+ I'm quite political, my big topic is {cause}.
+ I signed a petition for {cause} {recent}.
+ I'm standing for the town council because of {cause}.
+ What are the flyers for? // {cause}. I'm campaigning.
+ I've been campaigning for {cause} {since}.
+ I vote for whoever cares about {cause}.
- My {kin} protests for {cause} every week.
* The election results were on all channels.
? cause| What political cause {does} {N} support?
? cause| What {does} {N} campaign for?
? recent| When did {N} take political action?
? since| How long {has} {N} been campaigning?
? cause| What issue matters to {Nm} politically?
? cause| {K} activism
? cause| What {is} {N} committed to in society?
= goal @goal
~ aim: run a marathon; write a novel; learn to sail; buy a house; start my own business; get fluent in Spanish
~ aim: save for a campervan
~ aim: finish my PhD; climb Kilimanjaro; open a cafe; read fifty books; walk the Camino; learn to swim
~ aim: become a foster parent
+ My goal for this year is to {aim}.
+ I want to {aim} before I turn {age}.
+ I've decided to {aim}.
+ My big dream is to {aim}.
+ What's on your bucket list? // I'd love to {aim}.
+ One day I'll {aim}, you'll see.
+ I'm determined to {aim} {later}.
+ New Year's resolution: {aim}. No excuses.
^ I did it! I managed to {aim}!
^ I've given up on my plan to {aim}, no time.
- My {kin} wants to {aim}.
- My {kin} is hoping to {aim}.
* We scored the winning goal in the last minute.
? aim| What is {Ns} goal?
? aim| What {does} {N} dream of doing?
? aim| What {does} {N} want to achieve?
? aim| What are {Ns} ambitions?
? age| By what age {does} {N} want to reach {his} goal?
? aim| {K} bucket list
? aim| What plan for the future {does} {N} have?
?n | What became of {Ns} plan to {aim}?
?n | Did {N} reach {his} goal?
?h What was {Ns} goal and how did it end?
?* What goals {does} {N} have?
?* What would {N} like to do one day?
?- kin, aim| What does {Ns} {kin} want to do?
= military @military
~ branch: army; navy; air force; coast guard; marines; Red Cross; fire brigade; merchant navy; peace corps
+ I served in the {branch} for {years}.
+ I was in the {branch} before all this.
+ I joined the {branch} {inyear}.
+ Did you do military service? // I was in the {branch}, {years}.
+ I left the {branch} {inyear2}.
+ They stationed me in {country} when I was in the {branch}.
+ My {years} in the {branch} taught me to make a bed properly.
- My {kin} served in the {branch}.
- My {kin} was with the {branch} in {country}.
* There's an army of ants in my kitchen.
? branch| Which service was {N} in?
? years| How long did {N} serve?
? inyear| When did {N} join the {branch}?
? inyear2| When did {N} leave the {branch}?
? country| Where was {N} stationed?
? branch| {K} service
? branch| What did {N} do before {his} present life?
? | {Has} {N} been in the {branch}?
?- kin, branch| What service was {Ns} {kin} in?
= volunteering @volunteering
~ place: food bank; animal shelter; hospice; community garden; library; refugee centre; youth club; repair cafe
~ place: charity shop
~ place: lifeboat station; soup kitchen; nature reserve; reading club for children; crisis helpline; old people's home
+ I volunteer at a {place}.
+ I help out at the {place} on {weekday}s.
+ I've been volunteering at the {place} {since}.
+ Every {weekday} I do a shift at the {place}, unpaid but lovely.
+ Where are you off to? // The {place}, I volunteer there.
+ I started helping at a {place} {recent}.
+ I give a few hours a week to the {place}.
- My {kin} volunteers at a {place}.
* I volunteered to do the dishes.
? place| Where {does} {N} volunteer?
? place| What volunteer work {does} {N} do?
? weekday| On which day {does} {N} help at the {place}?
? since| How long {has} {N} been volunteering?
? recent| When did {N} start volunteering?
? place| {K} volunteering
? place| What charity work is {N} involved in?
? place| How {does} {N} help the community?
?* Where {has} {N} volunteered?
?= place| Where do both {N} and {M} volunteer?
= club @club
~ club: book club; chess club; choir; rowing club; knitting circle; amateur theatre; running group; allotment society
~ club: brass band
~ club: photography club; debating society; hiking club; film club; astronomy society; quiz team; church choir
~ club: drama group
+ I've joined a {club}.
+ I'm in a {club}, we meet every {weekday}.
+ I've been a member of the {club} {since}.
+ My {club} has {n} new members.
+ How do you know {friend}? // From the {club}, we're both members.
+ I run the {club} in our village.
+ {weekday} is {club} night for me.
+ I signed up for the {club} {recent}.
^ I've left the {club}, too much drama.
- My {kin} is in a {club}.
* We went to a club and danced until four.
? club| What club {is} {N} a member of?
? club| What group did {N} join?
? weekday| When does {Ns} {club} meet?
? since| How long {has} {N} been in the {club}?
? recent| When did {N} join the {club}?
? friend| Who {does} {N} know from the {club}?
? club| {K} club membership
? club| What {does} {N} belong to?
?n | {Is} {N} still in the {club}?
?* Which clubs {is} {N} in?
?= club| Which kind of club are {N} and {M} both in?
= award @award +
~ prize: first prize in a poetry contest; a teaching award; employee of the month; a medal in judo
~ prize: best cake at the fair
~ prize: a scholarship; a photography prize; the pub quiz; a silver medal in rowing; a short story award; a hackathon
+ I won {prize} {recent}!
+ I can't believe it, I won {prize}.
+ I've got news. ++ I won {prize}!
+ What are we celebrating? // I won {prize}!
+ {inyear} I won {prize}, my only claim to fame.
+ They gave me {price} because I won {prize}.
+ Look who won {prize}: me!
- My {kin} won {prize}.
* I never win anything in the lottery.
? prize| What did {N} win?
? prize| What award did {N} receive?
? recent| When did {N} win the prize?
? inyear| When was {N} awarded something?
? price| How much prize money did {N} get?
? prize| {K} award
? prize| What {is} {N} being honoured for?
? prize| What success did {N} have?
?* What has {N} won?
?- kin, prize| What did {Ns} {kin} win?
= belief @opinion
~ view: cats are better than dogs; breakfast is overrated; remote work is the future; paper books beat e-readers
~ view: money can buy happiness
~ view: school should start later; winter is better than summer; tea beats coffee; trains are better than planes
~ view: ghosts exist
+ I'm convinced that {view}.
+ If you ask me, {view}.
+ Unpopular opinion: {view}.
+ I'll say it again, {view}.
+ What's your hot take? // That {view}.
+ You won't change my mind: {view}.
- My {kin} thinks {view}.
* Think of a number between one and ten.
? view| What strong opinion {does} {N} have?
? view| What {is} {N} convinced of?
? view| What is {Ns} unpopular opinion?
? view| {K} opinion
? | {Does} {N} think that {view}?
? view| What does {N} believe firmly?
?- kin, view| What does {Ns} {kin} think?
"""
