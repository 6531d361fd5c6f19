import io.javalin.Javalin;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jdbi.v3.core.Jdbi;

public class HotelRoutes {

    private final Jdbi jdbi = Jdbi.create("jdbc:postgresql://db/hotels");

    void rooms(Context ctx) {
        String order = "price".equals(ctx.queryParam("order")) ? "price" : "number";
        List<Map<String, Object>> rows =
                jdbi.withHandle(h -> h.createQuery("SELECT number, price FROM room ORDER BY " + order).mapToMap().list());
        ctx.json(rows);
    }

    void guests(Context ctx) {
        String city = Optional.ofNullable(ctx.queryParam("city")).orElse("Wien");
        List<Map<String, Object>> rows =
                jdbi.withHandle(h -> h.createQuery("SELECT name FROM guest WHERE city = '" + city + "'").mapToMap().list());
        ctx.json(rows);
    }

    void notes(Context ctx) {
        String room = Objects.requireNonNullElse(ctx.formParam("room"), "0");
        String text = ctx.formParam("text") == null ? "-" : ctx.formParam("text");
        int n = jdbi.withHandle(h -> h.execute("UPDATE room SET note = ? WHERE number = ?", text, room));
        jdbi.useHandle(h -> h.execute("INSERT INTO changes(txt) VALUES ('note: " + text + "')"));
        ctx.result(String.valueOf(n));
    }

    public static void main(String[] args) {
        HotelRoutes r = new HotelRoutes();
        Javalin.create()
                .get("/rooms", r::rooms)
                .get("/guests", r::guests)
                .post("/notes", r::notes)
                .start(7070);
    }
}
