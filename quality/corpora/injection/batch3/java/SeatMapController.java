package theatre;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;

@Controller
@RequestMapping("/seats")
class SeatMapController {

    private final DataSource source;

    SeatMapController(DataSource source) {
        this.source = source;
    }

    private static String normalise(String show) {
        try {
            return String.valueOf(Long.parseLong(show));
        } catch (NumberFormatException e) {
            return show.toLowerCase();
        }
    }

    private static String showKey(String show) {
        try {
            return UUID.fromString(show).toString();
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("show", e);
        }
    }

    @RequestMapping("/free")
    @ResponseBody
    int free(@RequestParam String show) throws SQLException {
        try (Connection c = source.getConnection(); Statement st = c.createStatement()) {
            ResultSet rs = st.executeQuery("SELECT count(*) FROM seat WHERE show_key = '" + normalise(show) + "' AND sold = 0");
            return rs.next() ? rs.getInt(1) : 0;
        }
    }

    @RequestMapping("/sold")
    @ResponseBody
    int sold(@RequestParam String show) throws SQLException {
        try (Connection c = source.getConnection(); Statement st = c.createStatement()) {
            ResultSet rs = st.executeQuery("SELECT count(*) FROM seat WHERE show_key = '" + showKey(show) + "' AND sold = 1");
            return rs.next() ? rs.getInt(1) : 0;
        }
    }

    @RequestMapping("/hold")
    @ResponseBody
    void hold(@RequestParam String seat, @RequestHeader("X-Client") String client) throws SQLException {
        try (Connection c = source.getConnection(); Statement st = c.createStatement()) {
            st.executeUpdate("UPDATE seat SET held_by = '" + client + "' WHERE id = " + Integer.parseInt(seat));
        }
    }
}
