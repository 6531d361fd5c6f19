package com.acme.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;

public class OrderLambda implements RequestHandler<SQSEvent, Integer> {

    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    public Integer handleRequest(SQSEvent event, Context context) {
        int done = 0;
        try (Connection con = DriverManager.getConnection(System.getenv("JDBC_URL"));
             Statement st = con.createStatement()) {
            for (SQSEvent.SQSMessage msg : event.getRecords()) {
                JsonNode in = JSON.readTree(msg.getBody());
                ObjectNode copy = JSON.createObjectNode();
                copy.put("number", in.path("number").asText());
                copy.put("qty", in.path("qty").asInt());
                JsonNode back = JSON.readTree(JSON.writeValueAsString(copy));
                st.executeUpdate("UPDATE orders SET paid = 1 WHERE number = '" + back.get("number").asText() + "'");
                st.executeUpdate("UPDATE totals SET qty = qty + " + back.get("qty").asInt());
                done++;
            }
        } catch (Exception e) {
            context.getLogger().log(e.toString());
        }
        return done;
    }
}
