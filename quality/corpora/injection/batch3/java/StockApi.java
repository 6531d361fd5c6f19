package stock;

import static spark.Spark.get;
import static spark.Spark.port;
import static spark.Spark.post;

import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.sql2o.Connection;
import org.sql2o.Sql2o;

public class StockApi {

    private static final Sql2o DB = new Sql2o("jdbc:postgresql://db/stock", "stock", System.getenv("PGPASSWORD"));

    private static <T> T withConnection(Function<Connection, T> work) {
        try (Connection con = DB.open()) {
            return work.apply(con);
        }
    }

    public static void main(String[] args) {
        port(4567);

        UnaryOperator<String> quoted = v -> "'" + v + "'";
        BiFunction<String, String, String> eq = (col, v) -> col + " = " + v;

        get("/stock/:sku", (req, res) -> {
            String filter = eq.apply("sku", quoted.apply(req.params(":sku")));
            return withConnection(con ->
                    con.createQuery("SELECT amount FROM stock WHERE " + filter).executeScalar(Integer.class));
        });

        get("/depots/:depot", (req, res) -> withConnection(con ->
                con.createQuery("SELECT sum(amount) FROM stock WHERE depot = :depot").addParameter("depot", req.params(":depot")).executeScalar(Integer.class)));

        post("/stock/:sku/move", (req, res) -> {
            String note = req.queryParams("note");
            Runnable move = () -> {
                try (Connection con = DB.beginTransaction()) {
                    con.createQuery("INSERT INTO move(sku, note) VALUES (:sku, '" + note + "')").addParameter("sku", req.params(":sku")).executeUpdate();
                    con.commit();
                }
            };
            move.run();
            return "";
        });
    }
}
