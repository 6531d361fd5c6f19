package tags;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

public class TagQueryHandler implements RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent> {

    private final NamedParameterJdbcTemplate jdbc =
            new NamedParameterJdbcTemplate(new DriverManagerDataSource(System.getenv("JDBC_URL")));

    @Override
    public APIGatewayProxyResponseEvent handleRequest(APIGatewayProxyRequestEvent event, Context context) {
        Map<String, String> q = event.getQueryStringParameters();
        List<String> tags = Arrays.asList(q.getOrDefault("tags", "").split(","));

        String list = tags.stream()
                .map(String::trim)
                .filter(t -> !t.isEmpty())
                .map(t -> "'" + t + "'")
                .collect(Collectors.joining(", "));
        List<String> titles = jdbc.queryForList(
                "SELECT title FROM article WHERE tag IN (" + list + ")", Map.of(), String.class);

        String ids = Arrays.stream(q.getOrDefault("ids", "0").split(","))
                .mapToInt(Integer::parseInt)
                .mapToObj(String::valueOf)
                .collect(Collectors.joining(","));
        titles.addAll(jdbc.queryForList("SELECT title FROM article WHERE id IN (" + ids + ")", Map.of(), String.class));

        titles.addAll(jdbc.queryForList("SELECT title FROM pinned WHERE tag IN (:tags)", Map.of("tags", tags), String.class));

        return new APIGatewayProxyResponseEvent().withStatusCode(200).withBody(String.join("\n", titles));
    }
}
