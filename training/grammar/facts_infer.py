"""Questions by time and by inference, in words far from those of the facts. They join the kinds of the other tables."""

TABLE = """
= home
? city| Where should I send a postcard to {Nm}?
? city| If I visited {Nm}, which city would I travel to?
= move
? past| What big change did {N} make {past}?
? city| What is {Ns} new address, roughly?
= dwelling
? dwelling| {Does} {N} have much space at home?
= rent
? rent| What fixed housing costs {does} {N} have?
= garden
? plant| What could {N} bring me from the garden?
= job
? job| Who could I ask about the work of a {job}?
? job| What sort of expertise {does} {N} have from work?
? job| What does {N} do all day?
= employer
? firm| Whose payroll {is} {N} on?
= jobloss
? | Why might {N} be looking for work?
= study
? subject| What field {does} {N} know a lot about?
= exam
? soon, exam| What does {N} have to prepare for?
= course
? course| What new skill {is} {N} picking up?
= pet
? breed| Who does {N} need a sitter for when travelling?
? breed| Would {N} need to buy pet food?
? petname, breed| Tell me about {petname}.
= children
? | {Is} {N} a parent?
= baby
? | What big change is coming or has come in {Ns} family?
= partner
? friend| Who should be invited together with {Nm}?
= wedding
? friend| What role does {friend} play in {Ns} life?
= friend
? friend| Who could tell me more about {Nm}?
= allergy
? allergen| What must I leave out when {N} comes to dinner?
? allergen| What could make {Nm} ill?
= injury
? bodypart| Why might {N} not be able to do sport?
? recent, bodypart| What happened to {Nm} {recent}?
= illness
? recent, illness| What did {N} go through {recent}?
= diet
? diet| What kind of restaurant would suit {Nm}?
= fear
? fear| What situation would {N} rather avoid?
= medication
? med| What should a doctor know about {Nm}?
= favfood
? food| Which dish would cheer {Nm} up?
= dislike
? stuff| What should I leave off {Ns} plate?
= readbook
? book| What could I discuss with {Nm} in a book club?
= show
? show| What could {N} and I talk about when it comes to television?
= favband
? band| Whose concert should I take {Nm} to?
= concert
? recent, band| What did {N} do {recent}?
= sport
? sport| What could I do together with {Nm} to get moving?
? sport| What sports gear might {N} like as a present?
= instrument
? instrument| What could {N} play in a band?
= hobby
? hobby| What present would fit {Ns} interests?
? hobby| What could I talk about with {Nm} for hours?
= collection
? items| What could I bring {Nm} from a flea market?
= recipe
? recent, food| What was on the table at {Ns} place {recent}?
= coffee
? drink| What should I have ready when {N} comes by?
= birthday
? day| When should I send {Nm} a card?
= hometown
? city| Where are {Ns} roots?
= languages
? language| What could {N} translate for me?
= goal
? aim| What {is} {N} working towards?
= volunteering
? place| What good cause {does} {N} give time to?
= trippast
? country| Which country could {N} give me travel tips for?
? past, country| What did {N} do {past}?
= tripplan
? later, country| What will {N} be doing {later}?
= event
? recent, event| What did {N} do {recent}?
? recent, event| Where was {N} {recent}?
= lost
? thing| What would {N} be glad to get back?
= gift
? gift| What made {Nm} happy as a present?
= car
? car| What is parked outside {Ns} home?
= purchase
? recent, thing| What did {N} get {recent}?
= appointment
? soon, doctor| What does {N} have to do {soon}?
= deadline
? soon, thing| What has to be finished {soon}?
= meeting
? soon, topic| What is on {Ns} calendar {soon}?
= visitor
? soon, kin| Who will be at {Ns} place {soon}?
= party
? soon| What is happening at {Ns} place {soon}?
= savings
? aim| What will {N} spend {his} savings on?
= business
? venture| How {is} {N} self-employed?
= sleep
? time| When could I call {Nm} in the morning at the earliest?
= quit
? vice| What should I not offer {Nm}?
= renovation
? room| Why is it dusty at {Ns} place?
= weekend
? plan| Why might {N} not be free at the weekend?
"""
