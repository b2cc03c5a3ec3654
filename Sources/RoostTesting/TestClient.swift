import Roost
