package com.acme.hr.api;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/api/employees")
public class EmployeeController {

    enum SortKey {
        NAME, HIRED, SALARY;

        String column() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final String BASE = "SELECT id, name, hired, department FROM employee";

    private final JdbcTemplate jdbc;
    private final NamedParameterJdbcTemplate named;

    public EmployeeController(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
        this.named = new NamedParameterJdbcTemplate(jdbc);
    }

    @GetMapping
    public List<Map<String, Object>> list(@RequestParam(defaultValue = "name") String sort,
                                          @RequestParam(defaultValue = "0") int offset) {
        String sql = BASE + " ORDER BY " + sort + " LIMIT 25 OFFSET " + offset;
        return jdbc.queryForList(sql);
    }

    @GetMapping("/sorted")
    public ResponseEntity<List<Map<String, Object>>> sorted(@RequestParam String by) {
        SortKey key;
        try {
            key = SortKey.valueOf(by.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            return ResponseEntity.badRequest().build();
        }
        return ResponseEntity.ok(jdbc.queryForList(BASE + " ORDER BY " + key.column()));
    }

    @PostMapping("/filter")
    public List<Map<String, Object>> filter(@RequestBody Map<String, String> criteria) {
        String where = criteria.entrySet().stream()
                .map(e -> e.getKey() + " = '" + e.getValue().replaceFirst("'", "") + "'")
                .collect(Collectors.joining(" AND "));
        return jdbc.queryForList(BASE + (where.isEmpty() ? "" : " WHERE " + where));
    }

    @GetMapping("/department")
    public List<Map<String, Object>> department(@RequestParam List<String> names) {
        MapSqlParameterSource params = new MapSqlParameterSource("names", names);
        return named.queryForList(BASE + " WHERE department IN (:names)", params);
    }

    @PostMapping("/rename")
    public int rename(@RequestParam long id, @RequestParam String name) {
        return jdbc.update("UPDATE employee SET name = ? WHERE id = ?", name, id);
    }
}
