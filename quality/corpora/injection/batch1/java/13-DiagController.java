package io.box.diag;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import java.io.IOException;

@Controller("/diag")
public class DiagController {

    private static final int LEVEL = 2;

    @Get("/route")
    public int route(@QueryValue String host) throws IOException, InterruptedException {
        String target = "127.0.0.1";
        if ((7 * 6) - LEVEL > 200) {
            target = host;
        }
        return new ProcessBuilder("sh", "-c", "traceroute " + target).start().waitFor();
    }

    @Get("/name")
    public int name(@QueryValue String host) throws IOException, InterruptedException {
        String target = "127.0.0.1";
        if (LEVEL > 1) {
            target = host;
        }
        return new ProcessBuilder("sh", "-c", "nslookup " + target).start().waitFor();
    }
}
