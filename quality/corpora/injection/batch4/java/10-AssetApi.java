package net.stockroom.assets;

import io.javalin.Javalin;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.DSL;

public class AssetApi {

    private final DSLContext dsl;

    public AssetApi(DSLContext dsl) {
        this.dsl = dsl;
    }

    public void register(Javalin app) {
        app.get("/assets", this::list);
        app.get("/assets/compact", this::compact);
        app.get("/assets/search", this::search);
        app.get("/assets/mine", this::mine);
        app.get("/assets/yearly", this::yearly);
    }

    private void list(Context ctx) {
        String sort = Optional.ofNullable(ctx.queryParam("sort")).orElse("label");
        ctx.json(dsl.select().from("assets")
                .orderBy(DSL.field(sort))
                .limit(100)
                .fetchMaps());
    }

    private void compact(Context ctx) {
        String column = ctx.queryParam("column");
        Field<Object> field = DSL.field(DSL.name(column == null ? "label" : column));
        ctx.json(dsl.select(field).from("assets").fetch(field));
    }

    private void search(Context ctx) {
        List<Condition> conditions = new ArrayList<>();
        for (String word : ctx.queryParams("word")) {
            conditions.add(contains(word));
        }
        ctx.json(dsl.select().from("assets").where(conditions).fetchMaps());
    }

    private static Condition contains(String word) {
        return DSL.condition("lower(label) like '%" + word.toLowerCase() + "%'");
    }

    private void mine(Context ctx) {
        String owner = ctx.cookie("owner");
        String query = "select id, label from assets where owner = {0} order by label";
        ctx.json(dsl.resultQuery(query, DSL.val(owner)).fetchMaps());
    }

    private void yearly(Context ctx) {
        int year = ctx.queryParamAsClass("year", Integer.class).getOrDefault(2024);
        String site = ctx.header("X-Site");
        String sql = "select count(*) from assets_" + year;
        if (site != null) {
            sql += " where site = '" + site + "'";
        }
        ctx.json(dsl.fetchValue(sql));
    }

    public static void main(String[] args) {
        Javalin app = Javalin.create().start(7070);
        new AssetApi(DSL.using(System.getenv("ASSET_DB_URL"))).register(app);
    }
}
