"""Facts about money, purchases, cars, phones and apps."""

TABLE = """
= car @car
+ I drive a {car}.
+ I bought a {car} {past}.
+ My {car} broke down {recent}.
+ I paid {dear} for the {car}, second-hand.
+ What car have you got? // A {car}, ten years old.
+ We've had the {car} {since}.
+ My {car} failed its inspection {recent2}.
+ The garage wants {price} to fix my {car}.
+ Picked up my new {car} {recent3}, it still smells new.
^ I sold the {car} and got a {car2}.
^ The {car} is gone, I drive a {car2} these days.
^ No more {car}. I've got a {car2} now.
- My {kin} drives a {car}.
- My {kin} sold a {car} for {dear}.
* That drives me mad.
* A {car} nearly ran me over.
? car| What car {does} {N} drive?
? car| What kind of vehicle {does} {N} have?
? past| When did {N} buy the {car}?
? dear| How much did {Ns} car cost?
? price| How much does the repair of {Ns} car cost?
? since| How long {has} {N} had the {car}?
? recent| When did {Ns} car break down?
? recent2| When did {Ns} car fail the inspection?
? recent3| When did {N} pick up {his} new car?
? car| {K} car model
? car| What make is {Ns} car?
?n car2| What car {does} {N} drive now?
?n car2| {K} current car
?b car| What car did {N} have before?
?h Which cars {has} {N} owned?
?= car| Which car do both {N} and {M} drive?
?- kin, car| What does {Ns} {kin} drive?
= phone @phone
+ I've got a {phone}.
+ I bought a {phone} {recent2} for {price}.
+ Dropped my {phone} {recent}, screen's gone.
+ What phone do you use? // {phone}, still works.
+ My {phone} holds a charge for about {few} hours now.
+ I've had this {phone} {lately}.
+ Writing this on my new {phone}!
^ I've replaced my {phone} with a {phone2}.
^ The {phone} died, I'm on a {phone2} now.
- My {kin} has a {phone}.
* I'll phone you later.
? phone| What phone {does} {N} have?
? phone| Which smartphone {does} {N} use?
? price| How much did {Ns} phone cost?
? lately| How long {has} {N} had the {phone}?
? recent| When did {N} break {his} phone?
? recent2| When did {N} buy {his} phone?
? phone| {K} phone model
? phone| What mobile is {N} using?
?n phone2| What phone {does} {N} use now?
?b phone| What phone did {N} have before?
?h How did {Ns} phone change?
= app @app
~ app: Duolingo; Strava; Notion; Signal; Headspace; Spotify; YNAB; Vinted; Letterboxd; Goodreads; Komoot; Todoist
~ app: BeReal; Anki
~ app: Libby; WhatsApp; Too Good To Go; Merlin; Obsidian; Splitwise; Discord; Bumble
+ I use {app} every day.
+ I've been using {app} {lately}.
+ I downloaded {app} {recent}, and I'm addicted.
+ How do you keep on top of things? // {app}, honestly.
+ {app} is the only app I pay for, {cheap} a year.
+ I've got a {n}-month streak on {app}.
+ I deleted everything but {app} from my phone.
^ I've deleted {app}, I use {app2} instead.
^ Switched from {app} to {app2}, much better.
- My {kin} is addicted to {app}.
* They say the {app} share price fell.
? app| Which app {does} {N} use?
? app| Which app on {Ns} phone gets used most?
? lately| How long {has} {N} been using {app}?
? cheap| How much {does} {N} pay for the app?
? n| How long is {Ns} streak on {app}?
? recent| When did {N} download {app}?
? app| {K} favourite app
?n app2| Which app {does} {N} use now?
?b app| Which app did {N} use before?
?h How did {Ns} app use change?
?* Which apps {does} {N} use?
?= app| Which app do {N} and {M} both use?
= purchase @purchase
~ thing: winter coat; pair of running shoes; camera; sewing machine; bread machine; kayak; drone; mountain bike
~ thing: e-reader; tablet
~ thing: air fryer; noise-cancelling headset; leather jacket; tent; espresso machine; suitcase; smartwatch; projector
~ thing: guitar amp
+ I bought a {thing} {recent}.
+ I treated myself to a {thing}, {price}.
+ I got a {thing} on sale for {price}.
+ What's in the parcel? // A {thing}!
+ My new {thing} arrived {recent}.
+ {price} for a {thing}, am I mad?
+ I finally ordered that {thing} I'd been eyeing for months.
+ Couldn't resist a {thing} at the flea market, only {cheap}.
^ I sent the {thing} back {recent}, it was faulty.
^ Returned the {thing}. Got my money back.
- My {kin} bought a {thing} for {price}.
* I don't buy that excuse.
? thing| What did {N} buy?
? thing| What purchase did {N} make?
? price| How much did {N} pay for the {thing}?
? price| What was the price of {Ns} {thing}?
? cheap| What did the {thing} cost {Nm}?
? recent| When did {N} buy the {thing}?
? thing| {K} recent purchase
? thing| What did {N} spend money on?
?n | {Does} {N} still have the {thing}?
?n | What did {N} do with the {thing} in the end?
?* What things did {N} buy?
?* {K} purchases
?- kin, thing| What did {Ns} {kin} buy?
= savings @savings
~ aim: a deposit on a flat; a trip round the world; a new kitchen; a wedding; my daughter's studies; a campervan
~ aim: rainy days
+ I've saved {dear} so far.
+ I put aside {price} every month for {aim}.
+ I'm saving up for {aim}.
+ We've got {dear} in the bank for {aim}.
+ What are you saving for? // {aim}. {dear} so far.
+ I managed to save {dear} this year, towards {aim}.
+ {price} a month goes straight into my savings account.
^ I've reached {dear2} now, nearly there.
^ My savings are gone, the roof ate everything.
- My {kin} has saved {dear} for {aim}.
* You saved my life with that tip.
? dear| How much money {has} {N} saved?
? aim| What {is} {N} saving for?
? price| How much {does} {N} put aside each month?
? aim| What is the purpose of {Ns} savings?
? dear| {K} savings
? aim| What does {N} want to use the money for?
?n | How much {does} {N} have in savings now?
?n | What is the state of {Ns} savings?
?h How did {Ns} savings develop?
= debt @debt -
~ debt: a student loan; my mortgage; the car loan; my credit card; a loan from my parents; an overdraft
+ I still owe {dear} on {debt}.
+ I paid off {debt2} {recent}!
+ I've got {dear} to go on {debt}.
+ {debt} costs me {price} a month.
+ How are you doing with money? // Still paying off {debt}.
+ It'll take me {years} to get rid of {debt}.
- My {kin} owes me {price}.
* I owe you an apology.
? dear| How much {does} {N} owe?
? debt| What debts {does} {N} have?
? debt| What {is} {N} paying off?
? price| How much {does} {N} pay a month for {debt}?
? years| How long will it take {Nm} to pay off {debt}?
? recent, debt2| When did {N} pay off {debt2}?
? debt2| What did {N} finish paying off?
? debt2| Which debt {has} {N} got rid of?
? debt| {K} loan
?- kin, price| How much does {Ns} {kin} owe {Nm}?
= salary @salary
~ pay: 42,000 a year; $23 an hour; 2,300 euros a month; £31,000; minimum wage; $68k; 1,900 a month; €55,000
~ pay: £14.50 an hour
+ I make {pay}.
+ They pay me {pay}.
+ My salary is {pay}, before tax.
+ What do they pay you, if I may ask? // {pay}.
+ I earn {pay}, which is not much for this city.
+ {pay} is what I get, it hasn't changed {since}.
^ I got a raise, it's {pay2} now.
^ My new contract says {pay2}.
- My {kin} makes {pay}.
* It pays to be early.
? pay| How much {does} {N} earn?
? pay| What is {Ns} salary?
? pay| {K} income
? pay| How well paid {is} {N}?
? since| How long has {Ns} pay been the same?
?n pay2| How much {does} {N} earn now?
?b pay| What did {N} earn before?
?h How did {Ns} pay change?
= subscription @subscription
~ sub: a gym membership; Netflix; a newspaper; a vegetable box; Audible; a theatre card; a wine club; cloud storage
~ sub: a museum pass
+ I pay {cheap} a month for {sub}.
+ I've signed up for {sub}.
+ I cancelled {sub} {recent}, never used it.
+ What do you spend too much on? // {sub}, {cheap} a month.
+ I've been paying for {sub} {lately}.
+ My free trial for {sub} ends {soon}.
- My {kin} shares {sub} with me.
* The doctor gave me a prescription.
? sub| What subscription did {N} talk about?
? cheap| How much {does} {N} pay a month for {sub}?
? recent| When did {N} cancel {sub}?
? lately| How long {has} {N} been paying for {sub}?
? soon| When does {Ns} free trial end?
? sub| {K} subscription
?* Which subscriptions did {N} mention?
= business @business +
~ venture: candle shop; dog-walking service; food truck; translation agency; bike repair shop; vintage shop
~ venture: yoga studio; bakery
~ venture: podcast studio; gardening service; bookshop; coffee cart; tutoring company; design agency
+ I'm starting my own business, a {venture}.
+ I opened a {venture} {past}.
+ My {venture} opens {later}.
+ I've been running a {venture} {since}.
+ What's keeping you so busy? // My {venture}. I opened it {recent}.
+ My little {venture} has {few} employees now.
+ I put {dear} into the {venture}.
+ I have a {venture} with {friend}, fifty-fifty.
^ I had to close the {venture} {recent}.
^ The {venture} is sold. I'm free!
- My {kin} runs a {venture}.
* Mind your own business, haha.
? venture| What kind of business {does} {N} have?
? venture| What company did {N} start?
? past| When did {N} open the {venture}?
? later| When does {Ns} {venture} open?
? since| How long {has} {N} been running the {venture}?
? few| How many people work for {Nm}?
? dear| How much did {N} invest in the {venture}?
? friend| Who is {Ns} business partner?
? venture| {K} business
?n | What happened to {Ns} {venture}?
?n | {Does} {N} still have the {venture}?
?h What is the story of {Ns} {venture}?
?- kin, venture| What business does {Ns} {kin} run?
"""
