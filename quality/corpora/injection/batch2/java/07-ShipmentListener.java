package com.logi.shipments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

@Component
public class ShipmentListener {

    private final ObjectMapper mapper = new ObjectMapper();
    private final NamedParameterJdbcTemplate jdbc;

    public ShipmentListener(NamedParameterJdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @KafkaListener(topics = "shipments", groupId = "tracker")
    public void onShipment(String payload) throws Exception {
        JsonNode node = mapper.readTree(payload);
        String code = node.get("code").asText();
        jdbc.update("UPDATE shipment SET seen = now() WHERE code = '" + code + "'", new MapSqlParameterSource());
    }

    @RabbitListener(queues = "shipment-notes")
    public void onNote(String payload) throws Exception {
        JsonNode node = mapper.readTree(payload);
        MapSqlParameterSource params = new MapSqlParameterSource()
                .addValue("code", node.get("code").asText())
                .addValue("note", node.get("note").asText());
        jdbc.update("INSERT INTO note(code, body) VALUES (:code, :note)", params);
        Path file = Paths.get("/var/shipments", node.get("code").asText(), "note.txt");
        Files.writeString(file, node.get("note").asText());
    }
}
