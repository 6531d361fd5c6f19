package game.web;

import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class PlayerTable {

    private final NamedParameterJdbcTemplate jdbc;

    PlayerTable(NamedParameterJdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @GetMapping("/players")
    List<Map<String, Object>> players(@RequestParam String sort, @RequestParam String team) {
        String col = switch (sort) {
            case "score" -> "score DESC";
            case "name" -> "nick";
            default -> "id";
        };
        var params = new MapSqlParameterSource("team", team);
        return jdbc.queryForList("SELECT * FROM player WHERE team = :team ORDER BY " + col, params);
    }

    @GetMapping("/players/all")
    List<Map<String, Object>> all(@RequestParam(required = false) String sort, @RequestParam String team) {
        String col = sort == null ? "id" : sort;
        var params = new MapSqlParameterSource("team", team);
        return jdbc.queryForList("SELECT * FROM player WHERE team = :team ORDER BY " + col, params);
    }
}
