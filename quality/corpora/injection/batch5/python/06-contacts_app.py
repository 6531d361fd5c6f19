from contextlib import asynccontextmanager

from sqlalchemy import String, select, text
from sqlalchemy.ext.asyncio import async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.responses import JSONResponse
from starlette.routing import Route

engine = create_async_engine("postgresql+asyncpg:///crm")
Session = async_sessionmaker(engine)


class Base(DeclarativeBase):
    pass


class Contact(Base):
    __tablename__ = "contacts"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(200))
    email: Mapped[str] = mapped_column(String(200))


class TenantMiddleware(BaseHTTPMiddleware):
    async def dispatch(self, request, call_next):
        request.state.tenant = request.headers.get("x-tenant", "public")
        return await call_next(request)


@asynccontextmanager
async def tenant_session(request):
    async with Session() as session:
        statement = "SELECT set_config('search_path', '{}', false)".format(request.state.tenant)
        await session.execute(text(statement))
        yield session


async def search(request):
    needle = request.query_params.get("q", "")
    async with Session() as session:
        query = select(Contact).where(Contact.name.ilike(f"%{needle}%")).limit(50)
        result = await session.execute(query)
    return JSONResponse([{"id": c.id, "name": c.name} for c in result.scalars()])


async def list_contacts(request):
    order = request.query_params.get("sort") or "name"
    query = select(Contact).order_by(text(order))
    async with tenant_session(request) as session:
        result = await session.execute(query)
        return JSONResponse([c.email for c in result.scalars()])


async def lookup(request):
    body = await request.json()
    fields = ("email", "name")
    matched = [f for f in fields if f in body]
    where = " AND ".join(f"{f} = :{f}" for f in matched) or "1 = 0"
    async with Session() as session:
        rows = await session.execute(
            text("SELECT id FROM contacts WHERE " + where),
            {f: body[f] for f in matched},
        )
        return JSONResponse([row.id for row in rows])


app = Starlette(
    routes=[
        Route("/contacts", list_contacts),
        Route("/contacts/search", search),
        Route("/contacts/lookup", lookup, methods=["POST"]),
    ],
    middleware=[Middleware(TenantMiddleware)],
)
