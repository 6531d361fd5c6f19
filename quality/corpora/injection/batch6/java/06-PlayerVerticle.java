package com.acme.games;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgPool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.regex.Pattern;

public class PlayerVerticle extends AbstractVerticle {

    private static final Pattern SLUG = Pattern.compile("[a-z0-9-]{1,40}");

    private PgPool pool;

    @Override
    public void start(Promise<Void> started) {
        pool = PgPool.pool(vertx, PgConnectOptions.fromEnv(), new PoolOptions().setMaxSize(8));
        Router router = Router.router(vertx);
        router.route().handler(BodyHandler.create());
        router.get("/players").handler(this::players);
        router.post("/players").handler(this::create);
        router.get("/replay").handler(this::replay);
        router.get("/badge/:slug").handler(this::badge);
        vertx.createHttpServer()
                .requestHandler(router)
                .listen(8888)
                .onSuccess(s -> started.complete())
                .onFailure(started::fail);
    }

    private void players(RoutingContext ctx) {
        String guild = ctx.request().getParam("guild");
        String sql = "SELECT id, nick FROM player WHERE guild = '" + guild + "' AND score > $1";
        pool.preparedQuery(sql)
                .execute(Tuple.of(100))
                .onSuccess(rows -> ctx.json(toJson(rows)))
                .onFailure(ctx::fail);
    }

    private void create(RoutingContext ctx) {
        JsonObject body = ctx.body().asJsonObject();
        pool.preparedQuery("INSERT INTO player (nick, guild) VALUES ($1, $2)")
                .execute(Tuple.of(body.getString("nick"), body.getString("guild")))
                .onSuccess(r -> ctx.response().setStatusCode(201).end())
                .onFailure(ctx::fail);
    }

    private void replay(RoutingContext ctx) {
        String match = ctx.queryParams().get("match");
        vertx.fileSystem().readFile("/srv/replays/" + match + ".rpl")
                .onSuccess(buffer -> ctx.response().end(buffer))
                .onFailure(t -> ctx.fail(404));
    }

    private void badge(RoutingContext ctx) {
        String slug = ctx.pathParam("slug");
        if (!SLUG.matcher(slug).matches()) {
            ctx.fail(404);
            return;
        }
        ctx.response().sendFile("/srv/badges/" + slug + ".png");
    }

    private JsonArray toJson(RowSet<Row> rows) {
        JsonArray out = new JsonArray();
        rows.forEach(row -> out.add(row.toJson()));
        return out;
    }
}
