package com.shelfmart.catalog.sync;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.*;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

@Component
public class CatalogSyncListener {

    enum Warehouse { NORTH, SOUTH, HARBOUR }

    private final JdbcTemplate jdbc;
    private final ObjectMapper mapper;

    public CatalogSyncListener(JdbcTemplate jdbc, ObjectMapper mapper) {
        this.jdbc = jdbc;
        this.mapper = mapper;
    }

    @KafkaListener(topics = "partner.catalog.upsert")
    public void onUpsert(ConsumerRecord<String, String> record) throws JsonProcessingException {
        Map<String, Object> fields = mapper.readValue(record.value(), new TypeReference<>() {});
        StringJoiner columns = new StringJoiner(", ");
        StringJoiner marks = new StringJoiner(", ");
        List<Object> values = new ArrayList<>();
        for (Map.Entry<String, Object> field : fields.entrySet()) {
            columns.add(field.getKey());
            marks.add("?");
            values.add(field.getValue());
        }
        jdbc.update("INSERT INTO products (" + columns + ") VALUES (" + marks + ")", values.toArray());
    }

    @KafkaListener(topics = "partner.catalog.remove")
    public void onRemove(ConsumerRecord<String, String> record) throws JsonProcessingException {
        List<String> skus = mapper.readValue(record.value(), new TypeReference<>() {});
        if (skus.isEmpty()) {
            return;
        }
        String marks = String.join(",", Collections.nCopies(skus.size(), "?"));
        jdbc.update("DELETE FROM products WHERE sku IN (" + marks + ")", skus.toArray());
    }

    @KafkaListener(topics = "partner.catalog.price")
    public void onPrice(ConsumerRecord<String, String> record) throws JsonProcessingException {
        JsonNode price = mapper.readTree(record.value());
        String sql = "UPDATE " + priceTable(record) + " SET cents = ? WHERE sku = ?";
        jdbc.update(sql, price.path("cents").asInt(), price.path("sku").asText());
    }

    private String priceTable(ConsumerRecord<String, String> record) {
        Header region = record.headers().lastHeader("region");
        return region == null ? "prices" : "prices_" + new String(region.value(), StandardCharsets.UTF_8);
    }

    @KafkaListener(topics = "partner.catalog.stock")
    public void onStock(ConsumerRecord<String, String> record) throws JsonProcessingException {
        JsonNode stock = mapper.readTree(record.value());
        Warehouse site = Warehouse.valueOf(stock.path("site").asText().toUpperCase(Locale.ROOT));
        String table = "stock_" + site.name().toLowerCase(Locale.ROOT);
        jdbc.update("UPDATE " + table + " SET quantity = ? WHERE sku = ?",
                stock.path("quantity").asInt(), stock.path("sku").asText());
    }
}
