package iot;

import java.io.IOException;
import java.nio.file.*;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.*;

@RestController
class SensorController {

    enum Kind { TEMP, HUM, CO2 }

    private final JdbcTemplate template;

    SensorController(JdbcTemplate template) {
        this.template = template;
    }

    @GetMapping("/sensors/{id}/raw")
    byte[] raw(@PathVariable String id) throws IOException {
        UUID uuid = UUID.fromString(id);
        return Files.readAllBytes(Path.of("/srv/sensors/" + uuid + ".raw"));
    }

    @GetMapping("/sensors/readings")
    List<Map<String, Object>> readings(@RequestParam String kind) {
        Kind k = Kind.valueOf(kind.toUpperCase(Locale.ROOT));
        return template.queryForList("SELECT at, v FROM reading_" + k.name().toLowerCase(Locale.ROOT));
    }

    @ExceptionHandler(IllegalArgumentException.class)
    @ResponseStatus(org.springframework.http.HttpStatus.BAD_REQUEST)
    void onIllegalArgument() {
    }
}
