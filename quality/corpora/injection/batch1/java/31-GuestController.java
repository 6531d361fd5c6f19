package guests;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.List;
import org.apache.commons.text.StringEscapeUtils;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.*;

@RestController
@RequestMapping("/guests")
public class GuestController {

    private final JdbcTemplate jdbc;

    public GuestController(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @GetMapping("/nick")
    public List<Long> byNick(@RequestParam String nick) {
        String n = StringEscapeUtils.escapeHtml4(nick);
        return jdbc.queryForList("SELECT id FROM guest WHERE nick = '" + n + "'", Long.class);
    }

    @GetMapping("/town")
    public List<Long> byTown(@RequestParam String town) {
        String t = StringEscapeUtils.escapeCsv(town);
        return jdbc.queryForList("SELECT id FROM guest WHERE town = '" + t + "'", Long.class);
    }

    @GetMapping("/photo")
    public byte[] photo(@RequestParam String file) throws IOException {
        return Files.readAllBytes(Paths.get("/srv/guests", StringEscapeUtils.escapeXml11(file)));
    }

    @PostMapping("/card")
    public void card(@RequestParam String text) throws IOException {
        String sql = text.replace("'", "''");
        Runtime.getRuntime().exec(new String[] {"sh", "-c", "figlet " + sql + " > /srv/card.txt"});
    }

    @GetMapping("/slot")
    public String slot(@RequestParam String name) throws IOException {
        String key = "s_" + URLEncoder.encode(name, StandardCharsets.UTF_8);
        return Files.readString(Path.of("/srv/slots/" + key));
    }
}
