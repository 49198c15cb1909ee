"""Facts about family, friends, partners and pets."""

TABLE = """
= pet @pet +
+ I've got a {breed} called {petname}.
+ My {breed} {petname} is asleep on my feet right now.
+ We adopted a {breed} {recent}. The name is {petname}!
+ {petname}, my {breed}, ate my homework. Really.
+ Do you have any pets? // Yes, a {breed} named {petname}.
+ What's your {breed^} called? // {petname}!
+ I have to get home to walk and feed {petname}. A {breed} is a full-time job.
+ I got a {breed} from the shelter {past}.
+ {petname} had to go to the vet {recent}, poor old {breed}.
+ I named my {breed} {petname} after a character in a book.
+ We've had our {breed} {petname} {since}.
- My {kin} has a {breed} called {petname}.
- My {kin} is looking for a {breed}.
* My {kin} calls everyone {petname}, it's a pet name.
* I saw a {breed} in the park, gorgeous.
! Aww, I want to meet {petname}!
! I love that name.
? petname| What is the name of {Ns} pet?
? petname| What is {Ns} {breed^} called?
? breed| What pet {does} {N} have?
? breed| What kind of animal {does} {N} have?
? breed| What breed is {Ns} {breed^}?
? petname| {K} pet name
? past| When did {N} get the {breed}?
? recent| When did {N} adopt {petname}?
? since| How long {has} {N} had {petname}?
? breed| {Does} {N} have a {breed^}?
? petname, breed| Who is {petname}?
?* What pets {does} {N} have?
?* Which animals live with {Nm}?
?* {K} pets
?- kin, petname| What is the pet of {Ns} {kin} called?
?- kin, breed| What animal does {Ns} {kin} have?
= petdeath @pet -
+ We had to put {petname} down {recent}. A {breed} with a heart of gold.
+ My {breed} {petname} died {recent}.
+ {petname} is gone. ++ The vet couldn't do anything, my poor old {breed}.
+ Lost my {breed} {recent}, the house is so quiet without {petname}.
+ You okay? // No. {petname} died {recent}.
+ I buried my {breed} {petname} under the apple tree.
+ After {years} with us, {petname} passed away {recent}.
- My {kin} lost a {breed} {recent}.
* My laptop died in the middle of the call.
? petname| Which of {Ns} pets died?
? recent| When did {Ns} {breed^} die?
? recent| When did {petname} pass away?
? petname, breed| What happened to {petname}?
? years| How long did {N} have {petname}?
? petname| Why {is} {N} grieving?
? petname| What was the name of the {breed^} that {N} lost?
? petname| {K} dead pet
= siblings @siblings
~ sib: one brother; two sisters; three brothers; a twin sister; an older brother; a younger sister; no siblings
~ sib: four sisters
~ sib: two brothers and a sister; a twin brother; a half-sister; five siblings; a little brother
+ I have {sib}.
+ I grew up with {sib}.
+ I've got {sib}, we're pretty close.
+ Any brothers or sisters? // I've got {sib}.
+ Big family? // Not really, I have {sib}.
+ With {sib} at home, you learn to eat fast or slow, haha.
+ It was me and {sib}, in one bedroom. Imagine.
+ You know I have {sib}, right?
- My {kin} has {sib}.
- {friend} has {sib}.
* The nuns call each other sister.
? sib| How many siblings {does} {N} have?
? sib| {Does} {N} have brothers or sisters?
? sib| What siblings {does} {N} have?
? sib| {K} siblings
? sib| Tell me about {Ns} brothers and sisters.
? sib| {Is} {N} an only child?
? sib| Who did {N} grow up with?
?- kin, sib| How many siblings does {Ns} {kin} have?
= sister @siblings
+ My sister {woman} is a {job}.
+ My sister's name is {woman}.
+ My sister {woman} lives in {city} with her kids.
+ What's your sister called again? // {woman}. She's in {city} now.
+ My sister {woman} came to stay {recent}.
+ {woman}, my sister, is turning {age} {soon}.
+ I spent the day with my sister {woman}, we went shopping.
+ My big sister {woman} works as a {job} in {city}.
+ I take after my sister {woman}, everyone says so.
- My brother {man} is a {job}.
- My cousin {woman} lives in {city}.
* {woman} is like a sister to me, but we're not related.
? woman| What is the name of {Ns} sister?
? woman| What is {Ns} sister called?
? job| What does {Ns} sister do?
? city| Where does {Ns} sister live?
? age| How old is {Ns} sister going to be?
? recent| When did {Ns} sister visit?
? woman| {K} sister name
? job| What is the profession of {Ns} sister?
?- man, job| What does {Ns} brother do for a living?
= children @children +
+ I have {few} kids.
+ My daughter {woman} is {kidage} now.
+ My son {man} just turned {kidage}.
+ We have a girl, {woman}, and a boy, {man}.
+ Do you have children? // Yes, {few}.
+ How old's your little one now? // {woman} is {kidage}, can you believe it?
+ {man} starts school {later}, my baby!
+ My youngest, {woman}, lost her first tooth {recent}.
+ I'm a parent of {few}, I haven't slept in years.
+ Little {man} is {kidage} and already taller than my {kin}. My son is a giant.
- My {kin} has {few} kids.
- My {kin} just had a baby girl called {woman}.
* That meeting was child's play.
? few| How many children {does} {N} have?
? woman| What is the name of {Ns} daughter?
? man| What is {Ns} son called?
? kidage| How old is {Ns} child?
? later| When does {Ns} son start school?
? | {Does} {N} have children?
? few| {K} number of kids
? woman, man| What are {Ns} children called?
?- kin, few| How many children does {Ns} {kin} have?
?- kin, woman| What is the baby of {Ns} {kin} called?
= baby @children +
+ We're expecting a baby {later}!
+ I'm going to be a parent {later}.
+ Our baby was born {recent}, {woman} is her name.
+ It's a boy! {man}, born {recent}, {n} pounds.
+ I've got something to tell you. ++ We're having a baby {later}!
+ {woman} arrived {recent}, both well, nobody sleeping.
+ What's the little one called? // {man}, after my grandfather.
+ The due date is {day}, we're painting the nursery.
- My {kin} is pregnant, due {later}.
- My {kin} had twins {recent}.
* This project is my baby.
? later| When is {Ns} baby due?
? day| What is the due date of {Ns} baby?
? recent| When was {Ns} baby born?
? woman| What did {N} name the baby girl?
? man| What is the name of {Ns} newborn son?
? | {Is} {N} going to have a child?
? | What family news did {N} share?
? n| How much did {Ns} baby weigh?
= partner @partner
+ My {relation} is called {friend}.
+ I live with my {relation}, {friend}.
+ {friend} and I have been together {since}.
+ My {relation} {friend} is a {job}.
+ Are you seeing anyone? // Yes, {friend}. We met at a party.
+ I met my {relation} {friend} at a [pottery class|wedding|climbing gym|train station].
+ I'm going out with {friend}, it's been {dur} now.
+ What does your {relation} do? // {friend}'s a {job}.
+ I fell for {friend} {inyear} and here we are.
^ {friend} and I broke up {recent}.
^ I'm single again. {friend} left {recent}.
^ It's over between {friend} and me.
- My {kin} is dating a {job}.
- My {kin} has a new partner called {friend}.
* My business partner {friend} handles the accounts.
? friend| Who is {Ns} partner?
? friend| What is the name of {Ns} {relation}?
? since| How long {has} {N} been with {friend}?
? dur| How long {has} {N} been dating {friend}?
? inyear| When did {N} fall in love with {friend}?
? job| What does {Ns} partner do for work?
? friend| Who {is} {N} in a relationship with?
? friend| {K} partner name
? | {Does} {N} have a partner?
?n {Is} {N} still with {friend}?
?n What happened between {N} and {friend}?
?n What is {Ns} relationship status now?
?b friend| Who was {Ns} partner?
?h How did {Ns} relationship with {friend} develop?
= wedding @partner +
~ venue: town hall; vineyard; beach; barn; village church; castle; botanical garden; my parents' garden; rooftop bar
+ We got married {past} in a {venue}.
+ We're getting married {later}!
+ {friend} proposed {recent} and I said yes!
+ The wedding is on {day}, at a {venue} near {city}.
+ I have news. ++ We're engaged! The wedding is {later}.
+ When's the big day? // {day}, at the {venue}.
+ {count} guests at our wedding, my mother invited the whole town.
+ I married {friend} {inyear}, it rained all day.
+ We eloped, just us two, {past} in {city}.
- My {kin} is getting married {later}.
- My {kin} got married in {city} {past}.
* I photographed a wedding on Saturday, for work.
! Can I come?
? past| When did {N} get married?
? later| When will {N} get married?
? day| On what date is {Ns} wedding?
? venue| What kind of place was chosen for {Ns} wedding?
? city| In or near which city is {Ns} wedding venue?
? friend| Who is {Ns} spouse or spouse to be?
? count| How many guests were at {Ns} wedding?
? inyear| In which year did {N} marry?
? later| {K} wedding date
?- kin, later| When is the wedding of {Ns} {kin}?
= divorce @partner -
+ We're getting divorced.
+ My divorce came through {recent}.
+ I split up with {friend} {past} after {years}.
+ {friend} and I are separating. ++ We'll sell the house, I think, after {years} of marriage.
+ I've been divorced {since}.
+ How are things with {friend}? // We split up {recent}.
+ Signed the divorce papers {recent}, feels unreal.
- My {kin} is getting a divorce.
- My {kin} split up with {friend} {recent}.
* The path splits after the bridge.
? past| When did {N} and {friend} separate?
? recent| When did {Ns} relationship with {friend} end?
? years| How long were {N} and {friend} together?
? since| How long {has} {N} been divorced?
? | {Is} {N} still married?
? friend| Who did {N} split up with?
? | What happened to {Ns} marriage?
? friend| {K} ex
= friend @friend
+ My best friend {friend} and I met {inyear} at [school|a festival|work|the gym|choir].
+ {friend} is my oldest friend, we've known each other {since}.
+ I met up with my friend {friend} {recent}.
+ Who's your best friend? // Definitely {friend}.
+ {friend} and I go way back. We shared a desk at school.
+ I can tell {friend} anything. That's what best friends are for.
+ I'm visiting my friend {friend} in {city} {soon}.
+ My mate {friend} is staying with me {soon}.
- My {kin} has a friend called {friend} who lives in {city}.
* Bread is my best friend on bad days.
? friend| Who is {Ns} best friend?
? friend| What is the name of {Ns} close friend?
? inyear| When did {N} meet {friend}?
? since| How long {has} {N} known {friend}?
? city, friend| Where does {Ns} friend {friend} live?
? recent| When did {N} last see {friend}?
? soon| When will {N} see {friend}?
? friend| {K} best friend
? friend| Who {does} {N} trust most?
= quarrel @quarrel -
~ cause: money; the dishes; politics; an old story; who takes care of mum; a joke that went wrong; the inheritance
~ cause: parking
~ cause: the kids' bedtime; a broken vase; not being invited; the wedding list; borrowed books; being late all the time
+ I had a big fight with my {kin} {recent} about {cause}.
+ My {kin} and I aren't speaking because of {cause}.
+ {friend} and I fell out over {cause}.
+ Row with {friend} {recent}. It was about {cause}, of all things.
+ What happened with you and {friend}? // We argued about {cause}.
+ I shouted at my {kin} {recent}, I feel terrible. All because of {cause}.
+ I haven't talked to {friend} {since}, ever since that argument about {cause}.
^ I made up with {friend} {recent}.
^ Good news, {friend} apologised and we're fine again.
- My {kin} and {friend} had an argument about {cause}.
* He won the fight in round two, great boxing match.
? cause| What was {Ns} quarrel about?
? friend| Who did {N} fall out with?
? kin| Who did {N} have an argument with?
? cause| Why {is} {N} in conflict with someone?
? recent| When did {N} have the argument?
? since| How long {has} {N} not spoken to {friend}?
? cause| {K} argument reason
? | With whom and why did {N} quarrel?
?n | How did {Ns} conflict end?
?n | {Has} {N} made peace again?
?h How did the quarrel begin and end for {Nm}?
= grandparent @grandparent
+ My grandmother came over from {country} as a girl, with one suitcase.
+ My grandfather was a {job} in {city}.
+ Grandma taught me how to make {food}.
+ My grandmother came from {country}, that's where my surname is from.
+ My grandfather died {past}.
+ I spent every summer at my grandparents' farm near {city}.
+ Are your grandparents still alive? // Only my gran, she lives in {city}.
+ My granddad left me his old {instrument} when he died.
- {friend}'s grandmother came from {country}.
* There's a grandfather clock in the hall.
? job| What did {Ns} grandfather do for a living?
? food| What dish did {Ns} grandmother teach {him} to cook?
? country| Where did {Ns} grandmother come from?
? past| When did {Ns} grandfather die?
? instrument| What did {N} inherit from the grandfather?
? city| Which city is connected with {Ns} grandparents?
? country| What are {Ns} family roots?
? | What {does} {N} say about {his} grandparents?
= visitor @visitor
+ My {kin} is coming to stay {soon}.
+ My {kin} is visiting me for {n} days.
+ I've got {friend} staying with me until {weekday}.
+ {friend} is coming over {soon}, I have to clean.
+ What are you cleaning for? // My {kin} comes {soon}.
+ I'm picking up {friend} from the airport {soon} at {time}.
+ House full: my {kin} is here for {n} days.
+ My {kin} stayed with us {recent} and rearranged the kitchen.
- {friend} has guests from {country}.
* I paid the museum a visit.
? kin| Who is coming to visit {Nm}?
? friend| Who is staying with {Nm}?
? soon| When does {Ns} visitor arrive?
? n| How many days does {Ns} guest stay?
? time| At what time must {N} be at the airport for {friend}?
? weekday| Until when is {friend} staying with {Nm}?
? kin| {K} house guest
? recent| When did {N} have a visitor?
= namesake @namesake
+ I'm named after my {kin}.
+ My middle name is {friend}.
+ Everyone at work calls me {petname}.
+ My parents nearly called me {friend2}, imagine.
+ Where does your name come from? // I was named after my {kin}.
+ At school they used to call me {petname}.
+ My surname means "{job}" in my grandparents' language.
+ My nickname has been {petname} {since}.
- My {kin} is called {petname} by everyone.
* I can't remember the name of that restaurant.
? kin| Who was {N} named after?
? friend| What is {Ns} middle name?
? friend2| What did {Ns} parents almost call {him}?
? petname| What is {Ns} nickname?
? petname| What do others call {Nm}?
? job| What does {Ns} surname mean?
? since| How long {has} {N} had {his} nickname?
? petname| {K} nickname
? | What {does} {N} say about {his} name?
"""
