package energy.gridwise.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.*;
import java.util.Map;
import java.util.regex.Pattern;

public class MeterHandler implements RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent> {

    private static final Pattern METER = Pattern.compile("[A-Z]{2}\\d{6}");
    private static final Path EXPORTS = Path.of("/mnt/efs/exports");

    @Override
    public APIGatewayProxyResponseEvent handleRequest(APIGatewayProxyRequestEvent event, Context context) {
        Map<String, String> query = event.getQueryStringParameters();
        try (Connection db = DriverManager.getConnection(System.getenv("DB_URL"))) {
            String body = switch (event.getResource()) {
                case "/meters/latest" -> latest(db, query.get("meter"));
                case "/meters/first" -> first(db, query.get("meter"));
                default -> export(event.getBody());
            };
            return new APIGatewayProxyResponseEvent().withStatusCode(200).withBody(body);
        } catch (SQLException | IOException e) {
            context.getLogger().log(e.toString());
            return new APIGatewayProxyResponseEvent().withStatusCode(500);
        }
    }

    private String latest(Connection db, String meter) throws SQLException {
        if (!METER.matcher(meter).find()) {
            return "{}";
        }
        String sql = String.format("SELECT kwh FROM readings WHERE meter = '%s' ORDER BY taken DESC", meter);
        try (PreparedStatement st = db.prepareStatement(sql);
             ResultSet rows = st.executeQuery()) {
            return rows.next() ? rows.getString("kwh") : "{}";
        }
    }

    private String first(Connection db, String meter) throws SQLException {
        if (!METER.matcher(meter).matches()) {
            return "{}";
        }
        try (Statement st = db.createStatement();
             ResultSet rows = st.executeQuery("SELECT kwh FROM readings WHERE meter = '" + meter + "' ORDER BY taken")) {
            return rows.next() ? rows.getString("kwh") : "{}";
        }
    }

    private String export(String body) throws IOException {
        JsonObject request = JsonParser.parseString(body).getAsJsonObject();
        String content = request.get("content").getAsString();
        String fileName = request.get("fileName").getAsString();
        if (request.has("shared")) {
            String base = Path.of(fileName).getFileName().toString();
            Files.writeString(EXPORTS.resolve(base + ".csv"), content);
        } else {
            Path target = EXPORTS.resolve(fileName);
            Files.writeString(target, content);
        }
        return "{\"stored\":true}";
    }
}
