package stats;

import static spark.Spark.get;

import java.sql.*;

public class RangeQuery {

    record Range(String from, String to, int step) {
        static Range parse(String raw) {
            String[] p = raw.split("\\.\\.");
            return new Range(p[0], p.length > 1 ? p[1] : p[0], 10);
        }
    }

    public static void main(String[] args) throws SQLException {
        Connection con = DriverManager.getConnection("jdbc:sqlite:stats.db");

        get("/range", (req, res) -> {
            Range r = Range.parse(req.queryParams("r"));
            Statement st = con.createStatement();
            ResultSet rs = st.executeQuery(
                    "SELECT avg(v) FROM s WHERE t >= '" + r.from() + "' AND t < '" + r.to() + "'");
            return rs.next() ? rs.getDouble(1) : 0;
        });

        get("/steps", (req, res) -> {
            Range r = Range.parse(req.queryParams("r"));
            Statement st = con.createStatement();
            ResultSet rs = st.executeQuery("SELECT count(*) FROM s WHERE rowid % " + r.step() + " = 0");
            return rs.next() ? rs.getInt(1) + " from " + r.from() : "0";
        });
    }
}
