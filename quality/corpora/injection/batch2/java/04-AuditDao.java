package net.bank.audit;

import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;

@Controller
public class AuditDao {

    private final JdbcTemplate jdbc;

    public AuditDao(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @GetMapping("/audit")
    @ResponseBody
    public List<String> search(@RequestParam(required = false) String user, @RequestParam(required = false) String action) {
        StringBuilder sb = new StringBuilder("SELECT line FROM audit WHERE 1 = 1");
        List<Object> args = new ArrayList<>();
        if (user != null) {
            sb.append(" AND usr = ?");
            args.add(user);
        }
        if (action != null) {
            sb.append(" AND action LIKE '%").append(action).append("%'");
        }
        sb.append(" ORDER BY at DESC");
        return jdbc.query(sb.toString(), (ResultSet rs, int n) -> rs.getString(1), args.toArray());
    }

    @GetMapping("/audit/count")
    @ResponseBody
    public Integer count(@RequestParam String[] users) {
        StringBuilder in = new StringBuilder();
        for (int i = 0; i < users.length; i++) {
            in.append(i == 0 ? "?" : ", ?");
        }
        return jdbc.queryForObject("SELECT COUNT(*) FROM audit WHERE usr IN (" + in + ")", Integer.class, (Object[]) users);
    }
}
