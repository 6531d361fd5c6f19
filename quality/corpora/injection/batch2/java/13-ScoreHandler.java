package games;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import java.sql.*;
import java.util.Map;

public class ScoreHandler implements RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent> {

    private final String url = System.getenv("JDBC_URL");

    @Override
    public APIGatewayProxyResponseEvent handleRequest(APIGatewayProxyRequestEvent event, Context context) {
        Map<String, String> q = event.getQueryStringParameters();
        StringBuilder out = new StringBuilder();
        try (Connection c = DriverManager.getConnection(url); Statement s = c.createStatement()) {
            long player = Long.parseLong(q.get("player"));
            ResultSet scores = s.executeQuery("SELECT score FROM score WHERE player = " + player);
            while (scores.next()) out.append(scores.getInt(1)).append('\n');

            String season = q.get("season");
            int year = season.length() == 4 ? Integer.parseInt(season) : 2024;
            ResultSet best = s.executeQuery("SELECT max(score) FROM score WHERE season = " + season);
            if (best.next()) out.append(year).append(": ").append(best.getInt(1));
        } catch (SQLException e) {
            return new APIGatewayProxyResponseEvent().withStatusCode(500);
        }
        return new APIGatewayProxyResponseEvent().withStatusCode(200).withBody(out.toString());
    }
}
