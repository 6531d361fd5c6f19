package grid;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.commons.lang3.StringUtils;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.*;

@RestController
@RequestMapping("/grid")
public class GridDao {

    private static final Set<String> COLUMNS = Set.of("id", "name", "created");
    private final JdbcTemplate jdbc;

    public GridDao(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    private static String escape(String s) {
        return StringUtils.replace(s, "'", "''");
    }

    @GetMapping
    public List<Map<String, Object>> all(@RequestParam(defaultValue = "id") String sort) {
        return jdbc.queryForList("SELECT * FROM cell ORDER BY " + escape(sort));
    }

    @GetMapping("/page")
    public List<Map<String, Object>> page(@RequestParam String size) {
        return jdbc.queryForList("SELECT * FROM cell LIMIT " + escape(size));
    }

    @GetMapping("/{id}")
    public Map<String, Object> one(@PathVariable String id) {
        return jdbc.queryForMap("SELECT * FROM cell WHERE id = " + escape(id));
    }

    @GetMapping("/sorted")
    public List<Map<String, Object>> sorted(@RequestParam String sort) {
        if (!COLUMNS.contains(sort)) {
            throw new IllegalArgumentException(sort);
        }
        return jdbc.queryForList("SELECT * FROM cell ORDER BY " + sort);
    }
}
