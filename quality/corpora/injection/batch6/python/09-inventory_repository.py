from typing import Generic, Iterable, TypeVar

from fastapi import APIRouter, Depends, Query
from sqlalchemy import create_engine, text
from sqlalchemy.orm import Session, sessionmaker

engine = create_engine("postgresql:///inventory")
SessionLocal = sessionmaker(bind=engine)
router = APIRouter(prefix="/stock")

T = TypeVar("T")


def session():
    db = SessionLocal()
    try:
        yield db
    finally:
        db.close()


class Repository(Generic[T]):
    table: str = ""
    order_columns: dict[str, str] = {}

    def __init__(self, db: Session):
        self.db = db

    def page(self, order: str, size: int):
        column = self.order_columns.get(order)
        if column is None:
            raise ValueError(f"cannot order by {order}")
        stmt = text(f"SELECT * FROM {self.table} ORDER BY {column} LIMIT :size")
        return self.db.execute(stmt, {"size": size}).mappings().all()

    def by_ids(self, ids: Iterable[int]):
        joined = ",".join(str(int(i)) for i in ids)
        return self.db.execute(text(f"SELECT * FROM {self.table} WHERE id IN ({joined})")).mappings().all()


class PartRepository(Repository):
    table = "parts"
    order_columns = {"name": "name", "stock": "on_hand"}

    def __init__(self, db: Session, warehouse: str):
        super().__init__(db)
        self.scope = f"warehouse = '{warehouse}'"

    def low(self, threshold: int):
        sql = f"SELECT id, name FROM {self.table} WHERE {self.scope} AND on_hand < :n"
        return self.db.execute(text(sql), {"n": threshold}).mappings().all()

    def named(self, name: str):
        stmt = text("SELECT id, name FROM parts WHERE name = :name").bindparams(name=name)
        return self.db.execute(stmt).mappings().all()

    def grouped(self, having: str):
        parts = ["SELECT supplier, count(*) AS n FROM parts", "GROUP BY supplier"]
        if having:
            parts.append("HAVING " + having)
        return self.db.execute(text(" ".join(parts))).mappings().all()


@router.get("/parts")
def parts(order: str = "name", size: int = Query(20, le=100), db: Session = Depends(session)):
    return PartRepository(db, "main").page(order, size)


@router.get("/parts/low")
def low(warehouse: str, threshold: int = 5, db: Session = Depends(session)):
    return PartRepository(db, warehouse).low(threshold)


@router.get("/parts/select")
def select(ids: list[int] = Query(...), db: Session = Depends(session)):
    return PartRepository(db, "main").by_ids(ids)


@router.get("/parts/named/{name}")
def named(name: str, db: Session = Depends(session)):
    return PartRepository(db, "main").named(name)


@router.get("/parts/suppliers")
def suppliers(having: str = "", db: Session = Depends(session)):
    return PartRepository(db, "main").grouped(having)
