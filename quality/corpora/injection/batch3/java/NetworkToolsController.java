package ops.tools;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
class NetworkToolsController {

    record ProbeRequest(String host, int count) { }

    private static String drain(Process p) throws IOException {
        try (var in = p.getInputStream()) {
            return new String(in.readAllBytes());
        }
    }

    @PostMapping("/tools/ping")
    ResponseEntity<String> ping(@RequestBody ProbeRequest body) throws IOException {
        List<String> args = new ArrayList<>();
        args.add("ping");
        args.add("-c");
        args.add(Integer.toString(body.count()));
        args.add("--");
        args.add(body.host());
        Process p = new ProcessBuilder(args).redirectErrorStream(true).start();
        return ResponseEntity.ok(drain(p));
    }

    @PostMapping("/tools/trace")
    ResponseEntity<String> trace(@RequestBody ProbeRequest body) throws IOException {
        ProcessBuilder builder = new ProcessBuilder();
        builder.command("bash", "-c", "traceroute -m " + body.count() + " " + body.host() + " 2>&1");
        return ResponseEntity.ok(drain(builder.start()));
    }

    @PostMapping("/tools/flush/{zone}")
    ResponseEntity<String> flush(@PathVariable String zone) throws IOException {
        String[] cmd = {"/bin/sh", "-c", String.format("rndc flushname '%s'", zone)};
        return ResponseEntity.ok(drain(Runtime.getRuntime().exec(cmd)));
    }
}
