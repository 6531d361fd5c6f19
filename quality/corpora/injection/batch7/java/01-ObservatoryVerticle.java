package org.example.observatory;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgPool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;

public class ObservatoryVerticle extends AbstractVerticle {

    enum Band { U, B, V, R, I }

    private PgPool pool;

    @Override
    public void start(Promise<Void> ready) {
        pool = PgPool.pool(vertx, new PgConnectOptions().setDatabase("observatory"), new PoolOptions());
        Router router = Router.router(vertx);
        router.get("/exposures/:target").handler(this::exposures);
        router.get("/magnitudes/:band").handler(this::magnitudes);
        router.get("/observers").handler(this::observers);
        router.get("/nights").handler(this::nights);
        vertx.createHttpServer().requestHandler(router).listen(8888)
            .<Void>mapEmpty()
            .onComplete(ready);
    }

    private void exposures(RoutingContext ctx) {
        String target = ctx.pathParam("target");
        String sql = "SELECT id, seconds FROM exposures WHERE target = '" + target + "' AND seconds > $1";
        int minimum = Integer.parseInt(ctx.request().getParam("min", "0"));
        pool.preparedQuery(sql).execute(Tuple.of(minimum))
            .onSuccess(rows -> answer(ctx, rows))
            .onFailure(ctx::fail);
    }

    private void magnitudes(RoutingContext ctx) {
        Band band;
        try {
            band = Band.valueOf(ctx.pathParam("band").toUpperCase());
        } catch (IllegalArgumentException e) {
            ctx.response().setStatusCode(404).end();
            return;
        }
        pool.query("SELECT star, mag_" + band + " FROM magnitudes").execute()
            .onSuccess(rows -> answer(ctx, rows))
            .onFailure(ctx::fail);
    }

    private void observers(RoutingContext ctx) {
        String site = ctx.queryParams().get("site");
        pool.preparedQuery("SELECT name FROM observers WHERE site = $1 ORDER BY name")
            .execute(Tuple.of(site))
            .onSuccess(rows -> answer(ctx, rows))
            .onFailure(ctx::fail);
    }

    private void nights(RoutingContext ctx) {
        String order = ctx.request().getHeader("X-Order");
        StringBuilder sql = new StringBuilder("SELECT night, seeing FROM nights");
        if (order != null && !order.contains(";")) {
            sql.append(" ORDER BY ").append(order);
        }
        pool.query(sql.toString()).execute()
            .onSuccess(rows -> answer(ctx, rows))
            .onFailure(ctx::fail);
    }

    private void answer(RoutingContext ctx, RowSet<Row> rows) {
        JsonArray out = new JsonArray();
        for (Row row : rows) {
            out.add(row.toJson());
        }
        ctx.json(new JsonObject().put("rows", out));
    }
}
