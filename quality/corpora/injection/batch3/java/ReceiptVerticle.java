package receipts;

import io.vertx.core.AbstractVerticle;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

public class ReceiptVerticle extends AbstractVerticle {

    private static final String DIR = "/var/receipts/";

    @Override
    public void start() {
        Router router = Router.router(vertx);
        router.get("/receipt").handler(this::receipt);
        router.get("/receipt/preview").handler(this::preview);
        router.get("/receipt/hash").handler(this::byHash);
        vertx.createHttpServer().requestHandler(router).listen(8082);
    }

    private void receipt(RoutingContext ctx) {
        String token = ctx.request().getParam("t");
        String name = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
        ctx.response().sendFile(DIR + name);
    }

    private void preview(RoutingContext ctx) {
        String given = ctx.request().getParam("name");
        if (given.contains("/") || given.contains("..")) {
            ctx.fail(400);
            return;
        }
        String name = URLDecoder.decode(given, StandardCharsets.UTF_8);
        ctx.vertx().fileSystem().readFile(DIR + "preview/" + name)
                .onSuccess(ctx::end)
                .onFailure(ctx::fail);
    }

    private void byHash(RoutingContext ctx) {
        byte[] key = ctx.request().getParam("key").getBytes(StandardCharsets.UTF_8);
        String name = java.util.HexFormat.of().formatHex(key);
        ctx.response().sendFile(DIR + name + ".pdf");
    }
}
