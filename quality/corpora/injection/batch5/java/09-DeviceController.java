package energy.fleet.devices;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.springframework.http.codec.multipart.FilePart;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

@RestController
@RequestMapping("/devices")
public class DeviceController {

    private static final Path FIRMWARE = Path.of("/var/lib/fleet/firmware");
    private static final Path LOGS = Path.of("/var/lib/fleet/logs");

    private final DatabaseClient db;

    public DeviceController(DatabaseClient db) {
        this.db = db;
    }

    @GetMapping
    public Flux<Map<String, Object>> devices(ServerWebExchange exchange) {
        return Mono.justOrEmpty(exchange.getRequest().getHeaders().getFirst("X-Site"))
                .map(String::trim)
                .filter(site -> !site.isEmpty())
                .defaultIfEmpty("HQ")
                .map(site -> "SELECT serial, model FROM devices WHERE site = '" + site + "'")
                .flatMapMany(sql -> db.sql(sql).fetch().all());
    }

    @GetMapping("/{serial}")
    public Mono<Map<String, Object>> device(@PathVariable String serial) {
        return db.sql("SELECT serial, model, site FROM devices WHERE serial = :serial")
                .bind("serial", serial)
                .fetch()
                .one();
    }

    @GetMapping("/usage")
    public Flux<Map<String, Object>> usage(@RequestParam Map<String, String> params) {
        Duration window = Duration.parse(params.getOrDefault("window", "PT1H"));
        String since = "now() - interval '" + window.toSeconds() + " seconds'";
        return db.sql("SELECT serial, sum(kwh) FROM readings WHERE taken_at > " + since + " GROUP BY serial")
                .fetch()
                .all();
    }

    @PostMapping("/firmware")
    public Mono<Void> firmware(@RequestPart("image") Flux<FilePart> images) {
        return images
                .filter(image -> image.filename().endsWith(".bin"))
                .concatMap(image -> image.transferTo(FIRMWARE.resolve(image.filename())))
                .then();
    }

    @GetMapping("/log")
    public Mono<String> log(@RequestParam String serial) {
        return Mono.just(serial)
                .filter(s -> s.matches("[A-Z]{2}[0-9]{6}"))
                .map(s -> LOGS.resolve(s + ".log"))
                .flatMap(p -> Mono.fromCallable(() -> Files.readString(p)))
                .subscribeOn(Schedulers.boundedElastic());
    }

    @DeleteMapping("/log")
    public Mono<Boolean> dropLog(@RequestParam String file) {
        return Mono.fromCallable(() -> LOGS.resolve(file))
                .map(Path::toFile)
                .map(File::delete);
    }
}
