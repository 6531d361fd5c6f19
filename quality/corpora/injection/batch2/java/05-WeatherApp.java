import static spark.Spark.*;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;

public class WeatherApp {

    static final String URL = "jdbc:sqlite:/var/lib/weather.db";

    static String first(ResultSet rs) throws Exception {
        return rs.next() ? rs.getString(1) : "";
    }

    static String column(String unit) {
        return switch (unit) {
            case "c", "celsius" -> "temp_c";
            case "f" -> "temp_f";
            default -> "temp_k";
        };
    }

    static String table(String kind) {
        String t;
        switch (kind) {
            case "now":
                t = "current";
                break;
            case "":
                t = "daily";
                break;
            default:
                t = "archive_" + kind;
        }
        return t;
    }

    public static void main(String[] args) {
        get("/temp", (req, res) -> {
            try (Connection c = DriverManager.getConnection(URL)) {
                String sql = "SELECT max(" + column(req.queryParams("unit")) + ") FROM current";
                return first(c.createStatement().executeQuery(sql));
            }
        });

        get("/rain", (req, res) -> {
            try (Connection c = DriverManager.getConnection(URL)) {
                String sql = "SELECT sum(mm) FROM " + table(req.queryParamOrDefault("kind", ""));
                return first(c.createStatement().executeQuery(sql));
            }
        });
    }
}
