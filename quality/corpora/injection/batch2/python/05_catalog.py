import os

from quart import Quart, jsonify, request
from sqlalchemy import String, create_engine, literal_column, select, text
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

engine = create_engine(os.environ["DB_URL"])
app = Quart(__name__)


class Base(DeclarativeBase):
    pass


class Book(Base):
    __tablename__ = "book"
    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str] = mapped_column(String(200))
    shelf: Mapped[str] = mapped_column(String(20))


@app.get("/books")
async def books():
    stmt = select(Book).where(Book.shelf == request.args["shelf"]).order_by(Book.title)
    with Session(engine) as session:
        return jsonify([b.title for b in session.scalars(stmt)])


@app.get("/books/where")
async def books_where():
    stmt = select(Book).where(text("title LIKE '" + request.args["q"] + "%'"))
    with Session(engine) as session:
        return jsonify([b.title for b in session.scalars(stmt)])


@app.get("/books/column")
async def books_column():
    stmt = select(literal_column(request.args["c"])).select_from(Book)
    with engine.connect() as conn:
        return jsonify([str(r[0]) for r in conn.execute(stmt)])
