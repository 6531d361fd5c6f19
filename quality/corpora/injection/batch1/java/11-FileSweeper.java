package org.example.sweep;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.json.JsonArray;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.handler.BodyHandler;
import java.io.File;
import java.util.regex.Pattern;

public class FileSweeper extends AbstractVerticle {

    private static final Pattern NAME = Pattern.compile("[a-z0-9]+\\.tmp");

    @Override
    public void start() {
        Router router = Router.router(vertx);
        router.route().handler(BodyHandler.create());
        router.post("/sweep").handler(ctx -> {
            JsonArray names = ctx.body().asJsonObject().getJsonArray("names");
            int count = 0;
            for (int i = 0; i < names.size(); i++) {
                String name = names.getString(i);
                if (!NAME.matcher(name).matches()) {
                    continue;
                }
                if (new File("/srv/work", name).delete()) {
                    count++;
                }
            }
            ctx.json(count);
        });
        router.post("/sweep/last").handler(ctx -> {
            JsonArray names = ctx.body().asJsonObject().getJsonArray("names");
            String chosen = "";
            for (int i = names.size() - 1; i >= 0; i--) {
                chosen = names.getString(i);
                if (!chosen.isBlank()) {
                    break;
                }
            }
            ctx.json(new File("/srv/work/" + chosen).delete());
        });
        vertx.createHttpServer().requestHandler(router).listen(8080);
    }
}
