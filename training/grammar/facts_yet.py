"""Questions that look for the person: which of the two it was. They join the kinds of the other tables."""

TABLE = """
= home
?w Who lives in {city}, {N} or {M}?
?w Which of the two lives in {city}?
= move
?w Who moved to {city}?
?w Was it {N} or {M} who moved to {city}?
= movingplan
?w Who is going to move to {city}?
= dwelling
?w Who lives in a {dwelling}, {N} or {M}?
= rent
?w Who pays {rent} in rent?
= renovation
?w Whose {room} is being done up?
= garden
?w Who grows {plant}, {N} or {M}?
= housemates
?w Who shares a flat with {friend}?
= job
?w Who works as a {job}?
?w Is it {N} or {M} who is a {job}?
= employer
?w Who works for {firm}, {N} or {M}?
= promotion
?w Who was made {role}?
= study
?w Who has studied {subject}, {M} or {N}?
= exam
?w Who had to take the {exam}?
= course
?w Who takes a class in {course}?
= deadline
?w Who has to hand in a {thing}, {N} or {M}?
= commute
?w Who goes to work {way}?
= pet
?w Whose {breed^} is called {petname}?
?w To whom does {petname} belong?
?w Who has a {breed}, {N} or {M}?
= siblings
?w Who has {sib}, {N} or {M}?
= sister
?w Whose sister is called {woman}?
= partner
?w Who is or was together with {friend}?
= wedding
?w Whose wedding has to do with a {venue}?
= friend
?w Who is friends with {friend}, {N} or {M}?
= quarrel
?w Who quarrelled about {cause}?
= allergy
?w Who is allergic to {allergen}, {N} or {M}?
?w For whom are {allergen} dangerous?
= illness
?w Who had {illness}?
= injury
?w Who hurt the {bodypart}, {N} or {M}?
= diet
?w Which of them eats {diet}?
= habit
?w Which of the two likes to {habit}?
= quit
?w Who gave up {vice}, {N} or {M}?
= appointment
?w Who has to go to the {doctor}?
= fear
?w Who is afraid of {fear}, {N} or {M}?
= medication
?w Who takes {med}?
= favfood
?w Who loves {food} most, {N} or {M}?
= dislike
?w Which of them can't stand {stuff}?
= favfilm
?w Whose favourite film is {film}?
= readbook
?w Who read {book}, {N} or {M}?
= author
?w Which of the two is a fan of {author}?
= show
?w Who watched {show}?
= favband
?w Who likes the music of {band}, {N} or {M}?
= concert
?w Who got to see {band}?
= colour
?w Whose favourite colour is {colour}?
= sport
?w Who does {sport}, {N} or {M}?
?w Which of them goes in for {sport}?
= instrument
?w Who plays the {instrument}, {M} or {N}?
= hobby
?w Whose hobby is {hobby}?
?w Who is into {hobby}, {N} or {M}?
= collection
?w Who collects {items}?
= recipe
?w Who cooked {food}, {N} or {M}?
= coffee
?w Whose usual drink is {drink}?
= birthday
?w Whose birthday is on {day}?
= hometown
?w Who grew up in {city}, {N} or {M}?
= languages
?w Who knows some {language}?
= religion
?w Which of the two is {faith}?
= goal
?w Who wants to {aim}, {N} or {M}?
= military
?w Who was in the {branch}?
= volunteering
?w Who helps at a {place}, {N} or {M}?
= club
?w Who belongs to a {club}?
= award
?w Who won {prize}, {N} or {M}?
= trippast
?w Who has been to {country}, {N} or {M}?
= tripplan
?w Who is planning to go to {country}?
= event
?w Who went to {event}?
= weekend
?w Whose weekend plan is {plan}?
= lost
?w Whose {thing} went missing?
= gift
?w Who received a {gift}, {N} or {M}?
= car
?w Who drives a {car}, {N} or {M}?
= phone
?w Whose phone is a {phone}?
= app
?w Who uses {app}?
= purchase
?w Who bought a {thing}, {N} or {M}?
= savings
?w Who is saving for {aim}?
= business
?w Whose business is a {venture}?
"""
