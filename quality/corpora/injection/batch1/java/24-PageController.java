package blog;

import java.sql.*;
import java.util.*;
import org.apache.commons.dbutils.QueryRunner;
import org.apache.commons.dbutils.handlers.ArrayListHandler;
import org.springframework.web.bind.annotation.*;

@RestController
public class PageController {

    private final QueryRunner run;

    public PageController(javax.sql.DataSource ds) {
        this.run = new QueryRunner(ds);
    }

    @GetMapping("/posts")
    public List<Object[]> posts(@RequestParam(defaultValue = "0") String page) throws SQLException {
        int p = Math.max(0, Integer.parseInt(page));
        return run.query("SELECT id, title FROM post LIMIT 20 OFFSET " + p * 20, new ArrayListHandler());
    }

    @GetMapping("/posts/from")
    public List<Object[]> from(@RequestParam String start) throws SQLException {
        Scanner s = new Scanner(start);
        if (!s.hasNextInt()) {
            return List.of();
        }
        return run.query("SELECT id, title FROM post WHERE id >= " + start, new ArrayListHandler());
    }

    @GetMapping("/posts/author")
    public List<Object[]> author(@RequestParam UUID author) throws SQLException {
        return run.query("SELECT id, title FROM post WHERE author = '" + author + "'", new ArrayListHandler());
    }
}
