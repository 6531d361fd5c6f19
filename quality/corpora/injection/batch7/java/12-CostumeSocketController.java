package org.example.costume;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Map;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.util.UriUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@Controller
public class CostumeSocketController {

    record Fitting(String actor, String play, int act) { }

    private final DatabaseClient client;

    public CostumeSocketController(DatabaseClient client) {
        this.client = client;
    }

    @MessageMapping("fittings.add")
    public Mono<Long> add(@Payload Fitting fitting) {
        return client.sql("INSERT INTO fittings (actor, play, act) VALUES (:actor, :play, :act)")
            .bind("actor", fitting.actor())
            .bind("play", fitting.play())
            .bind("act", fitting.act())
            .fetch()
            .rowsUpdated();
    }

    @MessageMapping("fittings.find")
    public Flux<Map<String, Object>> find(@Payload Fitting fitting) {
        String sql = """
            SELECT costume, due FROM fittings
            WHERE play = '%s' AND act = %d
            """.formatted(fitting.play(), fitting.act());
        return client.sql(sql).fetch().all()
            .sort(Comparator.comparing(row -> String.valueOf(row.get("due"))));
    }

    @MessageMapping("wardrobe.count")
    public Mono<Long> count(@Payload Map<String, String> query) {
        String shelf = query.getOrDefault("shelf", "A");
        char letter = shelf.isEmpty() ? 'A' : Character.toUpperCase(shelf.charAt(0));
        if (letter < 'A' || letter > 'Z') {
            return Mono.just(0L);
        }
        return client.sql("SELECT COUNT(*) FROM wardrobe WHERE shelf = '" + letter + "'")
            .map(row -> row.get(0, Long.class))
            .one();
    }

    @GetMapping("/sketch")
    @ResponseBody
    public ResponseEntity<Resource> sketch(@RequestParam String file) {
        if (file.contains("..")) {
            return ResponseEntity.status(HttpStatus.FORBIDDEN).build();
        }
        String decoded = UriUtils.decode(file, StandardCharsets.UTF_8);
        return ResponseEntity.ok(new FileSystemResource("/srv/costume/sketches/" + decoded));
    }

    @GetMapping("/fabric")
    @ResponseBody
    public ResponseEntity<Resource> fabric(@RequestParam String swatch) {
        if (swatch.contains("..") || swatch.contains("/") || swatch.contains("\\")) {
            return ResponseEntity.status(HttpStatus.FORBIDDEN).build();
        }
        return ResponseEntity.ok(new FileSystemResource("/srv/costume/fabrics/" + swatch + ".png"));
    }
}
