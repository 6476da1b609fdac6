"""The bots of City, in three strengths; docs/editions.md explains each."""

from city_game.editions.city.minds.builder import Builder
from city_game.editions.city.minds.planner import Planner
from city_game.editions.city.minds.visitor import Visitor

MINDS = {"visitor": Visitor, "builder": Builder, "planner": Planner}
