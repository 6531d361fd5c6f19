package tools;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

public class ArchiveTool extends AbstractVerticle {

    @Override
    public void start() {
        Router router = Router.router(vertx);
        router.get("/find").blockingHandler(this::find);
        router.get("/count").blockingHandler(this::count);
        router.get("/tail").blockingHandler(this::tail);
        vertx.createHttpServer().requestHandler(router).listen(8085);
    }

    private void find(RoutingContext ctx) {
        List<String> cmd = new ArrayList<>(List.of("grep", "-r", "-F", "-e"));
        cmd.add(ctx.request().getParam("word"));
        cmd.add("/srv/archive");
        try {
            Process p = new ProcessBuilder(cmd).redirectErrorStream(true).start();
            ctx.end(new String(p.getInputStream().readAllBytes()));
        } catch (IOException e) {
            ctx.fail(500);
        }
    }

    private void count(RoutingContext ctx) {
        List<String> cmd = new ArrayList<>(List.of("sh", "-c"));
        cmd.add("grep -c -F '" + ctx.request().getParam("word") + "' /srv/archive/all.txt");
        try {
            Process p = new ProcessBuilder(cmd).start();
            ctx.end(new String(p.getInputStream().readAllBytes()));
        } catch (IOException e) {
            ctx.fail(500);
        }
    }

    private void tail(RoutingContext ctx) {
        String[] argv = {"/bin/bash", "-c", null};
        argv[2] = String.join(" ", "tail", "-n", ctx.queryParam("n").get(0), "/srv/archive/all.txt");
        try {
            ctx.end(new String(Runtime.getRuntime().exec(argv).getInputStream().readAllBytes()));
        } catch (IOException e) {
            ctx.fail(500);
        }
    }

    public static void main(String[] args) {
        Vertx.vertx().deployVerticle(new ArchiveTool());
    }
}
