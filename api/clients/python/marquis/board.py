class Board: pass
