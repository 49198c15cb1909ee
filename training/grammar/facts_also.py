"""Still more forms for kinds that had few. They join the kinds of the other tables."""

TABLE = """
= belief
+ I've thought about it a lot, and {view}. That's where I stand.
+ My friends laugh at me, but in my opinion {view}.
? view| What stance {does} {N} take that others laugh at?
? view| On what question {does} {N} refuse to budge?
= debt
+ Another {price} gone this month, straight into {debt}.
+ I can't afford holidays as long as I have {debt} to pay back.
? debt| Why {is} {N} short of money?
= dream
+ I woke up at {time} because I dreamt that {dream}.
+ You were in my dream, by the way. All I remember is that {dream}.
? time| When did {N} wake up from the dream?
? dream| What did {N} imagine at night?
= seasonfav
+ Give me {season} any day, I really come alive then.
+ I know everybody complains, but I adore {season}.
? season| During which months would {N} be in the best mood?
? season| Which season makes {Nm} come alive?
= subscription
+ I keep forgetting to cancel {sub}, {cheap} a month for nothing.
+ Treated myself to {sub} {recent2}, let's see if I use it.
? recent2| When did {N} take out {sub}?
? sub| What {does} {N} pay for regularly?
= accident
+ My colleagues will never let me forget that I {mishap}.
+ Long story short: I {mishap} {recent}.
= author
+ My shelf is basically all {author}, I never get tired of those books.
+ I wrote my final paper on {author}, my favourite.
= award
+ It's only a small thing, but I won {prize} {recent}.
+ My parents framed the certificate from when I won {prize}.
= childhood
+ My parents still tell everyone how I {memory}.
+ Looking at old photos today, from the time when I {memory}.
? memory| What do {Ns} parents tell about the old days?
= coffee
+ One {drink} and I'm human again.
+ The barista sees me coming and makes a {drink} without asking.
= colour
+ My wardrobe is ninety percent {colour}, I can't help it.
+ I had my nails done in {colour}, obviously. You know it's my favourite.
? colour| What colour are most of {Ns} things?
? colour| What colour would suit {Ns} taste?
= divorce
+ I've moved out. {friend} is keeping the flat, and the lawyers do the rest.
+ It's final, {friend} and I are no longer husband and wife.
? friend| From whom {is} {N} separated?
= favband
+ My playlist this year was almost only {band}.
+ I know every word of every song by {band}.
= medication
+ Since I've been on {med} I feel a bit drowsy, but it helps.
+ I never leave the house without my {med}.
= age
+ I filled in a form today and had to tick a new box, since I'm {age} now.
? age| {Is} {N} young or old?
? age| How many years old {is} {N}?
= politics
+ I spent Saturday handing out leaflets for {cause}.
+ I wrote to my MP about {cause} {recent}.
? cause| What did {N} write to a politician about?
? cause| What would {N} take to the streets for?
= weatherstory
+ Guess who's got {storm}? The landlord comes {soon}.
? soon| When does the landlord come because of the damage?
? storm| What does the landlord have to look at in {Ns} home?
= fitness
+ I did {km} on the treadmill {recent2} and survived.
? recent2| When was {N} on the treadmill?
= grandparent
+ My grandmother used to work as a {job2} in {city2}, in the sixties.
? job2| What was {Ns} grandmother's job?
? city2| Where did {Ns} grandmother work?
= neighbours
+ I'm thinking of earplugs: the man downstairs {nuis}.
+ We're good friends with {friend} across the hall, we swap keys.
? friend| Who has a key to {Ns} place, probably?
= namesake
+ Call me {petname}, everyone does.
? petname| By what name {is} {N} known to everyone?
= religion
+ We went to a service {recent}, I'm {faith} after all.
= military
+ I still fold my socks the way they taught me in the {branch}.
= volunteering
+ I spent my Saturday at the {place} again, helping out. It does me good.
= phone
+ My {phone} fell into the sink {recent}, and it's still alive.
= quarrel
+ It's icy between {friend} and me since we argued about {cause}.
= petdeath
+ The vet came {recent} and {petname} fell asleep on my lap. No more {breed} in this house.
= exam
+ I can't sleep because of the {exam}, it's {soon}.
= promotion
+ My business cards now say {role}. Fancy, right?
= savings
+ Every coin I find goes into the jar for {aim}.
= salary
+ {pay}, take it or leave it, they said. I took it.
"""
