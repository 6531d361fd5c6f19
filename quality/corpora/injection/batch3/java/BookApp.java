package library;

import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.table;

import io.javalin.Javalin;
import io.javalin.http.Context;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

public final class BookApp {

    private final DSLContext db = DSL.using(System.getenv("JDBC_URL"), "library", System.getenv("DB_PASSWORD"));

    void byAuthor(Context ctx) {
        var rows = db.select(field("title")).from(table("book")).where(field("author", String.class).eq(ctx.queryParam("author"))).fetch();
        ctx.json(rows.intoMaps());
    }

    void matching(Context ctx) {
        String needle = ctx.queryParam("q");
        var rows = db.select(field("title")).from(table("book")).where(condition("title ILIKE '%" + needle + "%'")).fetch();
        ctx.json(rows.intoMaps());
    }

    void onShelf(Context ctx) {
        String shelf = ctx.pathParam("shelf");
        ctx.json(db.fetch("SELECT title FROM book WHERE shelf = '" + shelf + "'").intoMaps());
    }

    void onFloor(Context ctx) {
        int floor = ctx.pathParamAsClass("floor", Integer.class).get();
        ctx.json(db.fetch("SELECT title FROM book WHERE floor = " + floor).intoMaps());
    }

    public static void main(String[] args) {
        BookApp books = new BookApp();
        Javalin.create()
                .get("/books", books::byAuthor)
                .get("/books/search", books::matching)
                .get("/shelves/{shelf}", books::onShelf)
                .get("/floors/{floor}", books::onFloor)
                .start(7070);
    }
}
