from flask import Flask, request, jsonify
from peewee import SqliteDatabase, Model, CharField, IntegerField

db = SqliteDatabase("recipes.db")
app = Flask(__name__)


class Recipe(Model):
    name = CharField()
    cuisine = CharField()
    minutes = IntegerField()

    class Meta:
        database = db


def find(cuisine="italian", *, order="name", limit=20):
    sql = f"SELECT id, name FROM recipe WHERE cuisine = '{cuisine}' ORDER BY {order} LIMIT {limit}"
    return db.execute_sql(sql).fetchall()


def quick(minutes=15, order="name"):
    return db.execute_sql("SELECT id, name FROM recipe WHERE minutes < ? ORDER BY " + order, (minutes,)).fetchall()


def pick(column="cuisine", **extra):
    where = " AND ".join(f"{k} = '{v}'" for k, v in extra.items()) or "1"
    return list(Recipe.raw(f"SELECT {column} FROM recipe WHERE {where}").tuples())


@app.get("/recipes")
def recipes():
    return jsonify(find(order=request.args.get("order", "name")))


@app.get("/recipes/quick")
def recipes_quick():
    return jsonify(quick(request.args.get("minutes", 15)))


@app.get("/recipes/pick")
def recipes_pick():
    return jsonify(pick(name=request.args["name"]))
