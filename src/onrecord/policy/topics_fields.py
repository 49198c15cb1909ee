"""Fields that people talk about, and words by which they are known: two turns may share one and no word.

Written by hand; everyday English, whole words. A word may belong to two fields.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from onrecord.policy.lexemes import stem

__all__ = ["fields_of"]

_FIELDS = """
    food: food eat eating ate meal dish recipe cook cooking bake baking bread cake cookie pizza pasta burger
        steak meat beef pork bacon chicken fish sushi seafood salad soup sandwich cheese egg rice bean vegetable
        fruit apple banana tomato potato olive onion garlic spicy sauce vegan vegetarian diet hungry snack
        dessert chocolate candy ice cream sweet taste tasty delicious flavor kitchen chef taco noodle curry
        breakfast lunch dinner
        carrot lentil mushroom pepper lemon herb spice salt sugar butter flour oil stock oven fry grill roast boil
    drink: drink drinking coffee tea latte espresso mocha cappuccino americano macchiato milk juice water soda
        beer wine whiskey vodka cocktail bar pub starbucks cup decaf syrup smoothie caffeine
    restaurant: restaurant cafe diner cuisine menu table reserve reservation waiter italian chinese indian
        mexican european thai japanese korean french british serve moderately expensive cheap dine food
    lodging: hotel guesthouse hostel lodging motel room night stay wifi parking star suite guest airbnb bed
    train: train railway station depart departure arrive arrival leave ticket platform travel passenger journey
        fare
    car: car taxi cab drive driving driver uber truck vehicle engine road tesla honda ford toyota garage
        mechanic gas motorcycle bike ride parking
    flight: flight fly plane airport airline pilot ticket passport luggage boarding
    travel: travel trip vacation holiday visit tour tourist abroad country europe paris london italy france
        japan mexico spain canada beach island cruise attraction museum sightseeing backpack
    weather: weather rain rainy raining snow snowy sunny sun cloud cloudy wind windy storm stormy hot cold warm
        humid fog foggy frost hail temperature degree forecast climate drizzle blizzard overcast dew
    calendar: meeting appointment schedule calendar reminder remind date agenda conference event deadline invite
        party attend attending dentist doctor tennis activity
    way: direction route address nearest distance mile gps navigate navigation traffic map street avenue road
        location postcode located away drive
    health: health doctor hospital nurse medicine medical sick illness ill disease pain hurt surgery cancer
        allergy allergic pill prescription therapy heart clinic patient injury department symptom fever
    police: police crime accident robbed robbery stolen law lawyer court judge jail prison legal emergency
        officer
    pets: pet dog puppy cat kitten bird parrot fish hamster rabbit turtle horse snake lizard breed poodle
        retriever shepherd terrier bark vet animal
    animals: animal wildlife zoo farm cow pig goat sheep chicken duck bear wolf lion tiger elephant insect bug
        spider scorpion bee butterfly whale shark
    family: family mother father mom dad mommy daddy parent brother sister sibling son daughter kid child
        children baby wife husband married marriage divorce divorced wedding grandma grandpa grandmother
        grandfather uncle aunt cousin niece nephew twin adopted pregnant single
    love: boyfriend girlfriend dating date relationship romance romantic wedding married love crush partner
        lonely
    work: work job career boss coworker company office business employ employer employee hire hired salary pay
        paid retired retire manager engineer teacher nurse lawyer accountant waitress cashier salesman
        profession living interview shift quit fired colleague client
    school: school college university student study studying teacher class grade degree major graduate graduated
        exam test homework professor kindergarten math science history learn education campus
    music: music song sing singing singer band concert guitar piano drum violin album rock pop jazz rap hip hop
        country metal classical listen playlist musician instrument dance
    film: movie film cinema actor actress show tv television series episode netflix watch watching horror comedy
        documentary disney marvel star theater director anime cartoon
    books: book read reading novel author library writer write writing poem poetry story literature magazine
        comic fiction
    sport: sport football soccer basketball baseball tennis golf hockey volleyball swim swimming swimmer team
        coach player score league olympics medal race marathon skate ski surf surfing athlete champion game
        nascar wrestling boxing
    exercise: gym exercise workout run running runner jog yoga fitness weight lift lifting muscle walk walking
        hike hiking hiker climb climbing bike cycling shape diet
    games: game gaming gamer video xbox playstation nintendo chess card puzzle board console zelda mario pokemon
        play
    shopping: shop shopping store mall buy bought sell sold sale price cheap amazon brand customer order
        discount
    clothes: clothes clothing dress shirt shoe hat jeans fashion wear wearing style jacket boot sew knit
        knitting makeup hair color colour blonde red blue green purple pink black
    home: house home apartment rent roommate neighbor move moved bedroom kitchen furniture mortgage landlord
        yard clean cleaning decorate live
    places: live city town state country born grew raised florida texas california york chicago michigan alaska
        boston seattle ohio canada farm village suburb countryside neighborhood
    garden: garden gardening plant flower tree grow rose seed lawn nature forest wood camp camping fishing
        outdoors mountain lake river hunt hunting park
    faith: god church christian catholic religion religious bible pray prayer faith spiritual spirituality jesus
        buddhist jewish muslim meditate meditation
    money: money dollar rich poor bank loan debt budget invest investment stock tax bill cost price pay afford
        lottery
    computers: computer laptop phone internet website online app software program code coding function class bug
        error server database api file python javascript java query data test install version deploy linux
        windows network keyboard screen email password
    art: art artist paint painting draw drawing sketch sculpture gallery photo photography photographer camera
        museum craft pottery design
    age: age old young year birthday born retired teen teenager adult childhood tall short height
    meeting: project team budget design product market customer user remote button interface report proposal
        committee minister government policy funding question group
"""


@cache
def _by_stem() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    field = ""
    for word in _FIELDS.split():
        if word.endswith(":"):
            field = word
        else:
            found.setdefault(stem(word), set()).add(field)
    return {word: frozenset(names) for word, names in found.items()}


def fields_of(stems: Iterable[str]) -> frozenset[str]:
    """The fields that some stems belong to."""
    known = _by_stem()
    return frozenset().union(*(known[word] for word in stems if word in known))
