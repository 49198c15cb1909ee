"""Values of the slots that many tables share. After ">" stands a general word for the value."""

from __future__ import annotations

from training.grammar.names import MEN, WOMEN

__all__ = ["VOCAB"]

_TEXT = """
city: Lisbon; Porto; Leeds; Bristol; Glasgow; Cardiff; Dublin; Galway; Lyon; Toulouse; Marseille; Ghent; Antwerp;
city: Utrecht; Rotterdam; Hamburg; Leipzig; Cologne; Vienna; Graz; Zurich; Basel; Turin; Bologna; Naples; Palermo;
city: Seville; Valencia; Bilbao; Athens; Thessaloniki; Istanbul; Izmir; Warsaw; Krakow; Gdansk; Prague; Brno;
city: Budapest; Zagreb; Belgrade; Bucharest; Sofia; Kyiv; Riga; Tallinn; Vilnius; Helsinki; Tampere; Oslo; Bergen;
city: Stockholm; Malmo; Copenhagen; Aarhus; Reykjavik; Boston; Chicago; Denver; Austin; Houston; Seattle; Portland;
city: Phoenix; Atlanta; Nashville; Tampa; Cleveland; Pittsburgh; Baltimore; Minneapolis; Omaha; Boise; Tucson;
city: Sacramento; Oakland; San Diego; Toronto; Montreal; Halifax; Calgary; Winnipeg; Vancouver; Mexico City; Oaxaca;
city: Guadalajara; Bogota; Medellin; Lima; Cusco; Quito; Santiago; Buenos Aires; Cordoba; Montevideo; Recife;
city: Salvador; Curitiba; Lagos; Abuja; Accra; Kumasi; Nairobi; Mombasa; Kampala; Kigali; Addis Ababa; Cape Town;
city: Durban; Cairo; Tunis; Rabat; Amman; Beirut; Haifa; Dubai; Muscat; Tehran; Karachi; Lahore; Delhi; Mumbai; Pune;
city: Bangalore; Chennai; Kolkata; Dhaka; Kathmandu; Colombo; Bangkok; Chiang Mai; Hanoi; Da Nang; Kuala Lumpur;
city: Penang; Jakarta; Bandung; Manila; Cebu; Taipei; Shenzhen; Chengdu; Seoul; Busan; Osaka; Kyoto; Sapporo;
city: Melbourne; Perth; Hobart; Adelaide; Auckland; Wellington; Dunedin
country: Japan; Vietnam; Thailand; Nepal; India; Sri Lanka; Morocco; Kenya; Tanzania; Namibia; South Africa; Egypt;
country: Jordan; Turkey; Georgia; Greece; Croatia; Albania; Italy; Spain; Portugal; France; Ireland; Scotland; Norway;
country: Iceland; Finland; Poland; Austria; Switzerland; Canada; Mexico; Cuba; Costa Rica; Colombia; Peru; Chile;
country: Argentina; Brazil; Australia; New Zealand; Indonesia; South Korea; Taiwan; Malta; Cyprus; Slovenia; Romania;
country: Latvia; Sweden; Denmark; Senegal; Ghana
job: nurse; electrician; plumber; carpenter; paralegal; accountant; baker; barista; chef; line cook; bus driver;
job: train driver; software developer; data analyst; graphic designer; architect; surveyor; civil engineer;
job: primary school teacher; librarian; music teacher; dental hygienist; physiotherapist; vet; pharmacist; paramedic;
job: midwife; care worker; social worker; journalist; translator; copywriter; editor; estate agent; insurance broker;
job: bank clerk; receptionist; hairdresser; tattoo artist; florist; gardener; tree surgeon; farmhand; fishmonger;
job: butcher; mechanic; welder; crane operator; pilot; flight attendant; customs officer; firefighter; court clerk;
job: lab technician; research assistant; museum guide; sound engineer; stagehand; wedding photographer; video editor;
job: game tester; call centre agent; warehouse picker; project manager; product manager; recruiter; sales rep;
job: tax adviser; optician; locksmith; bookbinder; postal worker
firm: a local bakery; the city council; a small law firm; the university hospital; a fintech startup;
firm: an insurance company; Siemens; Ikea; Spotify; Airbus; Deloitte; Vodafone; the post office; a solar company;
firm: a seed bank; a veterinary clinic; a shipping company; the railways; a toy manufacturer; a biotech lab;
firm: a game studio; a radio station; the water board; an animal charity; a publishing house; a bicycle factory;
firm: a hotel chain; a private school; the ministry of transport; a furniture maker; a brewery; a robotics company;
firm: the national museum; a landscaping business; a bank in the centre
kin: sister; brother; cousin; mum; dad; aunt; uncle; niece; nephew; mother-in-law; brother-in-law; sister-in-law;
kin: flatmate; boss; colleague; neighbour; best friend; old schoolmate; grandmother; grandfather; stepbrother;
kin: godmother; landlady; ex
sport: tennis; badminton; squash; volleyball; basketball; football; rugby; hockey; water polo; table tennis; fencing;
sport: judo; karate; boxing; taekwondo; rowing; kayaking; surfing; sailing; swimming; running; cycling; climbing;
sport: bouldering; golf; cricket; baseball; softball; handball; netball; archery; skating; roller derby; curling;
sport: skiing; snowboarding; yoga; pilates; weightlifting; orienteering; horse riding; padel; ultimate frisbee;
sport: capoeira; diving; triathlon
instrument: guitar; piano; violin; cello; viola; double bass; flute; clarinet; oboe; bassoon; saxophone; trumpet;
instrument: trombone; French horn; tuba; drums; ukulele; banjo; mandolin; harp; accordion; harmonica; organ; sitar;
instrument: tabla; bagpipes
hobby: pottery; knitting; crochet; embroidery; quilting; woodworking; birdwatching; gardening; baking; home brewing;
hobby: chess; model trains; origami; calligraphy; watercolour painting; life drawing; photography; film photography;
hobby: astronomy; metal detecting; geocaching; beekeeping; foraging; fishing; fly fishing; leatherwork; candle making;
hobby: soap making; creative writing; poetry; blogging; podcasting; stand-up comedy; improv; salsa dancing; tango;
hobby: swing dancing; ballet; board games; jigsaw puzzles; crosswords; cosplay; Lego; 3D printing; drone flying;
hobby: genealogy; scrapbooking; juggling
language: Spanish; Portuguese; French; Italian; German; Dutch; Swedish; Norwegian; Danish; Finnish; Polish; Czech;
language: Russian; Ukrainian; Greek; Turkish; Arabic; Hebrew; Farsi; Hindi; Urdu; Bengali; Tamil; Punjabi; Mandarin;
language: Cantonese; Japanese; Korean; Vietnamese; Thai; Indonesian; Tagalog; Swahili; Yoruba; Zulu; Irish; Welsh;
language: Basque; Catalan; Latin; Esperanto
subject: law; medicine; biology; marine biology; physics; chemistry; maths; statistics; economics; history;
subject: art history; philosophy; psychology; sociology; linguistics; literature; geography; geology;
subject: computer science; architecture; civil engineering; mechanical engineering; nursing; social work; education;
subject: journalism; film studies; music; theatre; graphic design; fashion design; agriculture; forestry;
subject: veterinary science; dentistry; pharmacy; political science
food: lasagne; sushi; ramen; pad thai; green curry; biryani; dosa; butter chicken; dal; falafel; shakshuka; hummus;
food: tagine; couscous; jollof rice; injera; pierogi; borscht; goulash; schnitzel; raclette; fondue; paella; gazpacho;
food: tortilla; tacos; enchiladas; ceviche; empanadas; feijoada; poutine; mac and cheese; fish and chips;
food: shepherd's pie; haggis; moussaka; souvlaki; dumplings; bao buns; mapo tofu; bibimbap; kimchi stew; pho; laksa;
food: nasi goreng; adobo; gnocchi; risotto
breed: golden retriever>dog; greyhound>dog; beagle>dog; corgi>dog; poodle>dog; border collie>dog; dachshund>dog;
breed: labrador>dog; whippet>dog; pug>dog; terrier>dog; husky>dog; tabby>cat; Siamese>cat; Maine Coon>cat;
breed: tortoiseshell>cat; ragdoll>cat; black kitten>cat; ginger tom>cat; budgie>bird; cockatiel>bird; canary>bird;
breed: parrot>bird; corn snake>reptile; gecko>reptile; tortoise>reptile; bearded dragon>reptile; hamster>rodent;
breed: guinea pig>rodent; gerbil>rodent; lop rabbit>rabbit
petname: Biscuit; Pickles; Mochi; Luna; Nacho; Ziggy; Waffles; Pepper; Olive; Gizmo; Marmalade; Noodle; Pumpkin;
petname: Bandit; Maple; Truffle; Basil; Clementine; Figaro; Tofu; Rusty; Snowball; Duchess; Captain; Pebbles;
petname: Hazelnut; Odin; Saffron; Bowie; Pixel; Kiwi; Domino; Sprout; Chutney; Monty; Rosie; Juniper; Cosmo; Popcorn;
petname: Dobby; Mango; Cleo; Archie; Poppy
film: Casablanca; The Godfather; Amelie; Spirited Away; Parasite; Jaws; Alien; Blade Runner; Paddington 2;
film: The Princess Bride; Moonlight; Arrival; Inception; The Shining; Clueless; Fargo; Rear Window; Some Like It Hot;
film: Toy Story; Ratatouille; Pulp Fiction; Pan's Labyrinth; City of God; Amadeus; The Matrix; Groundhog Day;
film: Little Miss Sunshine; Before Sunrise
book: Middlemarch; Dune; Beloved; Emma; Jane Eyre; The Hobbit; Circe; Pachinko; Piranesi; Wolf Hall; Normal People;
book: Educated; The Overstory; Kindred; Sapiens; Americanah; Half of a Yellow Sun; The Master and Margarita;
book: One Hundred Years of Solitude; Things Fall Apart; Never Let Me Go; The Secret History; Station Eleven;
book: Frankenstein; Dracula; Persuasion; The Stranger; The Night Circus; Project Hail Mary; Klara and the Sun;
book: Crime and Punishment; The Alchemist; A Gentleman in Moscow; Rebecca
author: Ursula Le Guin; Toni Morrison; Terry Pratchett; Agatha Christie; Haruki Murakami; Zadie Smith; Elena Ferrante;
author: Borges; Jane Austen; Kazuo Ishiguro; Stephen King; Octavia Butler; Chinua Achebe; Isabel Allende;
author: Virginia Woolf; Neil Gaiman
show: The Wire; Breaking Bad; Fleabag; Succession; Severance; The Bear; Dark; Derry Girls; Bake Off; Taskmaster;
show: Twin Peaks; Better Call Saul; The Crown; Call the Midwife; Line of Duty; The Office; Parks and Recreation;
show: Schitt's Creek; Slow Horses; Squid Game; Money Heist; Borgen; Peaky Blinders; Doctor Who; Star Trek;
show: Gilmore Girls; Seinfeld; Andor; Shogun; Chernobyl
band: Radiohead; Arctic Monkeys; Fleetwood Mac; The Cure; Khruangbin; Tinariwen; Metallica; Iron Maiden; Blur; Pulp;
band: Coldplay; The National; Bon Iver; Big Thief; Phoebe Bridgers; Taylor Swift; Beyonce; Kendrick Lamar; Stormzy;
band: Rosalia; Bad Bunny; Stromae; Rammstein; Sigur Ros; Daft Punk; Massive Attack; Portishead;
band: Florence and the Machine; Paul Simon; Bruce Springsteen
colour: teal; navy blue; mustard yellow; emerald green; burgundy; lilac; coral; turquoise; burnt orange; sage green;
colour: crimson; mint
car: Fiat Panda; Skoda Octavia; Toyota Corolla; Honda Jazz; Ford Fiesta; VW Golf; Renault Clio; Volvo V60;
car: Mini Cooper; Tesla; Dacia Duster; Subaru Outback; Mazda 3; Peugeot 208; Kia Niro; Nissan Leaf; Jeep Wrangler;
car: Opel Corsa; Seat Leon; BMW estate
phone: iPhone 13; iPhone 15; Pixel 8; Pixel 6a; Galaxy S23; Fairphone; OnePlus; old Nokia; Xiaomi; Motorola;
phone: Galaxy Fold
bodypart: ankle; wrist; knee; shoulder; elbow; collarbone; back; hip; thumb; little finger; big toe; neck; hamstring;
bodypart: calf
illness: flu; shingles; pneumonia; tonsillitis; a stomach bug; bronchitis; a migraine; a sinus infection; covid;
illness: food poisoning; an ear infection; laryngitis; strep throat; a kidney infection; chickenpox; norovirus;
illness: a chest infection; glandular fever
allergen: peanuts; shellfish; penicillin; cats; dust mites; birch pollen; gluten; eggs; soy; sesame; bee stings;
allergen: latex; kiwi; strawberries; walnuts; cashews; ibuprofen; horses; mould; milk; mustard; wasps; ragweed; lupin;
allergen: tomatoes; nickel
relation: wife; husband; partner; girlfriend; boyfriend; fiancee
"""


def _read(text: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in text.strip().splitlines():
        name, _, values = line.partition(":")
        found[name] = found.get(name, ()) + tuple(part.strip() for part in values.split(";") if part.strip())
    return found


VOCAB = _read(_TEXT) | {"friend": (*WOMEN, *MEN), "woman": tuple(WOMEN), "man": tuple(MEN)}
