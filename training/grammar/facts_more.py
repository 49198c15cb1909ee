"""More forms for the kinds of the other tables, which these entries join: reasons, asides, split and chatty forms."""

TABLE = """
= home
+ I never thought I'd end up in {city}, but here I am, with a lease and everything.
+ Come and see me in {city} some time, there's a sofa bed.
+ I've got news about my address. ++ You can write to me in {city} from now on.
= move
~ why: the rent was killing us; I wanted to be near the sea; my dad is getting old; I was offered a job
~ why: we needed more space
~ why: I couldn't stand the noise; of the better schools; my visa ran out; I wanted a fresh start
+ I moved to {city} because {why}.
+ Why did you leave {city2}? // Because {why}. {city} is better.
+ We ended up in {city} {past} because {why}, and I don't regret it.
? why| Why did {N} move?
? why| What was the reason for {Ns} move?
? why| What made {Nm} relocate to {city}?
? why| {K} reason for moving
= job
~ why: I like working with my hands; it runs in the family; I wanted to help people; the pay was decent
~ why: it was the first job I could get
+ I became a {job} because {why}.
+ What made you become a {job}? // Well, {why}.
+ Another day in the life of a {job}: up at {time}, home at {time2}.
? why| Why did {N} become a {job}?
? why| What drew {Nm} to {his} profession?
= study
~ why: I couldn't decide on anything else; my teacher inspired me; I wanted to save the world; my parents insisted
~ why: of a film
+ I chose {subject} because {why}.
+ Why on earth {subject}? // Because {why}, if you can believe it.
? why| Why did {N} choose to study {subject}?
? why| What was {Ns} reason for doing {subject}?
= diet
~ why: of my blood pressure; I saw a documentary; my stomach was always upset; of the animals; my doctor told me to
~ why: of the climate
+ I've gone {diet} because {why}.
+ Why {diet}, all of a sudden? // Because {why}.
? why| Why did {N} go {diet}?
? why| What made {Nm} change {his} diet?
? why| What is the reason for {Ns} diet?
= quit
~ why: it cost too much; my doctor scared me; I couldn't sleep; I'm going to be a parent; I lost a bet
~ why: I was always tired
+ I stopped with {vice} because {why}.
+ How come you quit {vice}? // Because {why}.
? why| Why did {N} give up {vice}?
? why| What motivated {Nm} to quit?
= hobby
~ why: it calms me down; my therapist suggested it; I needed to get off my phone; I found an old kit in the attic
~ why: I was bored
+ I started {hobby} because {why}.
+ How did you get into {hobby}? // Well, {why}.
+ You'll laugh, but I've become one of those {hobby} people.
+ Saturday mornings belong to {hobby}, don't call me then.
? why| Why did {N} take up {hobby}?
? why| How did {N} come to {hobby}?
= sport
~ why: my back needed it; a colleague talked me into it; it clears my head; I wanted to meet people; my kids do it too
+ I took up {sport} because {why}.
+ What's with all the gear? // {sport}, I started {recent}.
+ I tore my shorts at {sport} {recent}. Embarrassing.
+ My {sport} coach says I'm getting better.
? why| Why did {N} start {sport}?
? why| What is {Ns} reason for doing {sport}?
= languages
~ why: my in-laws speak it; I want to move there; of a song; I need it at work; I like how it sounds; of my grandmother
+ I'm learning {language} because {why}.
+ Why {language}, of all languages? // Because {why}.
+ My {language} is rusty, but I manage.
? why| Why {is} {N} learning {language}?
? why| What is {Ns} motivation for learning {language}?
= pet
+ Sorry, typos, {petname} is walking over the keyboard. Who gives a {breed} a keyboard?
+ I'm a proud owner of a {breed}, as of {recent}. Meet {petname}!
+ Can't stay long, {petname} needs a walk. Well, whatever a {breed} needs.
+ You should have seen {petname} {recent}, my silly {breed} stole a whole chicken.
= partner
~ how: at a bus stop; on a dating app; at a friend's wedding; in a queue for tickets; at work; on holiday
~ how: in a language class
+ {friend} and I met {how} {inyear}.
+ How did you two meet? // {how}, would you believe it.
+ Did I mention {friend}? We met {how} and now we're a couple.
? how| How did {N} meet {his} partner?
? how| Where did {N} get to know {friend}?
= children
+ My daughter {woman} wants to be a {job} when she grows up.
+ {man} got into trouble at school {recent}. My son, the rebel.
+ Between {woman}'s ballet and {man}'s football I'm a taxi driver. Kids, eh?
? job| What does {Ns} daughter want to be?
? recent| When did {Ns} son get into trouble?
= siblings
+ Me? I come from a house with {sib} and one bathroom.
+ If you count everyone, I've got {sib}.
+ You've met my family: {sib} and two very tired parents.
= allergy
+ No {allergen} for me please, unless you want to call an ambulance.
+ I ended up in hospital {recent} because of {allergen}. Allergy.
+ The test came back: {allergen}. So that's what makes me itch.
= illness
+ I'm writing from bed, {illness}.
+ {illness} again, third time this year.
+ I had to cancel everything {recent}, I was down with {illness}.
= injury
+ Guess who's on crutches? My {bodypart}, {how}.
+ I'm typing with one hand since I hurt my {bodypart} {recent}.
= favfood
+ Feed me {food} and I'm yours.
+ There are days when only {food} will do, I swear it's my desert island dish.
+ Birthday dinner has to be {food}, always. I love it more than anything.
= readbook
~ verdict: brilliant; far too long; a bit overrated; the best thing I've read this year; hard going
~ verdict: surprisingly funny; very sad
+ I read {book} and found it {verdict}.
+ How was {book}? // {verdict}, honestly.
+ {book} is {verdict}, I finished it {recent}.
? verdict| What {does} {N} think of {book}?
? verdict| How did {N} like {book}?
? verdict| What is {Ns} opinion of the book {he} read?
= show
~ verdict: hilarious; slow but worth it; addictive; overhyped; better than the book; too violent for me
~ verdict: the best thing on telly
+ I've seen all of {show}, it's {verdict}.
+ Is {show} any good? // It's {verdict}, I've watched it all.
? verdict| What {does} {N} think of {show}?
? verdict| How did {N} find {show}?
= concert
+ Front row for {band} {recent}, I've lost my voice.
+ I queued {hours} for {band} {recent}, totally worth it.
? hours| How long did {N} queue for the concert?
= trippast
+ Still dreaming of {country}. I was there {past}.
+ We rented a car and drove all over {country} for {n} days.
+ I've been to {country} {few} times, the first time was {inyear}.
+ You look rested! // Yes, {country} did me good. {n} days, no phone.
? few| How many times {has} {N} been to {country}?
? inyear| When was {Ns} first visit to {country}?
= tripplan
+ I can't wait for {country} {later}, I've been learning phrases all week.
+ Two tickets to {country}, {price} each, leaving {later}.
? price| How much were {Ns} tickets to {country}?
= car
+ I've named my {car} Gertrude. She's older than me.
+ My {car} has done {count} thousand kilometres and still runs.
? count| How many kilometres has {Ns} car done?
= purchase
+ Don't judge me: I bought a {thing}. {price}.
+ Payday treat: one {thing}.
+ I'd been saving for a {thing} and {recent} I got it.
= gift
+ Guess what my {kin} got me. ++ A {gift}!
+ I cried when {friend} handed me a {gift}.
= wedding
+ We said yes {past}, in front of {n} people and a goat.
+ It'll be a small wedding {later}, only {n} guests.
? n| How many people were or will be at {Ns} wedding?
= birthday
+ Mark your calendar: {day}. Cake at mine, it's my birthday.
+ My birthday's coming up on {day} and I want nothing.
= hometown
+ {city} born and bred, that's me.
+ I left {city} at {youth}, but it's still where I'm from.
+ Every Christmas I go back to {city}, where I grew up.
= exam
+ Nervous wreck here, {exam} {soon}.
+ I'm retaking the {exam} {soon}, fourth time lucky.
= appointment
+ I've been dreading the {doctor} {soon}.
+ Remind me: {doctor}, {soon}, {time}.
= lost
+ You haven't seen my {thing} by any chance? I had it {spot}.
+ Great. Now my {thing} is gone too.
= goal
~ why: I promised my grandmother; life is short; everyone says I can't; I've wanted it since school; I need a challenge
+ I want to {aim} because {why}.
+ Why do you want to {aim}? // Because {why}.
? why| Why {does} {N} want to {aim}?
? why| What motivates {Nm} to {aim}?
= jobloss
+ Cleared my desk {recent}. ++ They fired me because {why}.
+ The redundancy letter came {recent}.
= business
+ Big step: I signed the lease for my {venture} {recent}.
+ My {venture} made its first profit {recent}!
? recent| When did {Ns} {venture} reach a milestone?
= instrument
+ My fingers hurt from the {instrument}, I practised for {hours}.
+ I'm playing the {instrument} at a wedding {soon}.
? soon| When {is} {N} performing?
= garden
+ The {plant} have finally come through the soil, I did a little dance.
+ My windowsill is full of {plant}.
= rent
+ They take {rent} off me every month for a flat with damp walls.
+ {rent} a month, and the lift doesn't even work at my place.
= event
+ I had such a good time at {event} {recent}.
+ I only went to {event} because of {friend}.
= weekend
+ Fancy joining me? Saturday is {plan}.
+ My weekend in two words: {plan}. Okay, more than two.
= fear
+ Laugh all you want, but I freeze when it comes to {fear}.
+ I had to leave the room {recent}, {fear}. My old phobia.
= salary
+ Between us, I'm on {pay}.
+ After years of asking, I'm finally on {pay}.
= app
+ I live in {app}, my whole life is in there.
+ Have you tried {app}? I open it ten times a day.
= commute
+ {mins} {way}, then I'm at my desk. Could be worse.
+ I like going to work {way}, it wakes me up.
= children
~ kin: sister; brother; cousin; niece; nephew; flatmate; colleague; best friend; old schoolmate; stepbrother
= baby
~ kin: sister; brother; cousin; niece; nephew; flatmate; colleague; best friend; old schoolmate; stepbrother
= study
~ kin: sister; brother; cousin; niece; nephew; flatmate; colleague; best friend; old schoolmate; stepbrother
= exam
~ kin: sister; brother; cousin; niece; nephew; flatmate; colleague; best friend; old schoolmate; stepbrother
= housemates
~ kin: sister; brother; cousin; niece; nephew; flatmate; colleague; best friend; old schoolmate; stepbrother
= commute
~ kin: sister; brother; cousin; niece; nephew; flatmate; colleague; best friend; old schoolmate; stepbrother
= course
~ kin: sister; brother; cousin; niece; nephew; flatmate; colleague; best friend; old schoolmate; stepbrother
= wedding
~ kin: sister; brother; cousin; niece; nephew; flatmate; colleague; best friend; old schoolmate; stepbrother
= promotion
~ kin: sister; brother; cousin; niece; nephew; flatmate; colleague; best friend; old schoolmate; stepbrother
= jobloss
~ kin: sister; brother; cousin; niece; nephew; flatmate; colleague; best friend; old schoolmate; stepbrother
= phone
~ kin: sister; brother; cousin; niece; nephew; flatmate; colleague; best friend; old schoolmate; stepbrother
= app
~ kin: sister; brother; cousin; niece; nephew; flatmate; colleague; best friend; old schoolmate; stepbrother
= pet
~ kin: sister; brother; cousin; niece; nephew; flatmate; colleague; best friend; old schoolmate; stepbrother
= siblings
~ kin: sister; brother; cousin; niece; nephew; flatmate; colleague; best friend; old schoolmate; stepbrother
"""
