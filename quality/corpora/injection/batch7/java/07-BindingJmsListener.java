package org.example.bindery;

import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.stereotype.Service;

@Service
public class BindingJmsListener {

    private final DataSource dataSource;

    public BindingJmsListener(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @JmsListener(destination = "bindery.foil")
    public void foil(MapMessage message) throws JMSException, IOException, InterruptedException {
        String spine = message.getString("spine");
        int points = message.getInt("points");
        String[] command = {"/bin/sh", "-c", String.format("foilpress --points %d --text \"%s\" | tee /tmp/foil.log", points, spine)};
        Process process = Runtime.getRuntime().exec(command);
        process.waitFor();
    }

    @JmsListener(destination = "bindery.cut")
    public void cut(MapMessage message) throws JMSException, IOException, InterruptedException {
        String format;
        switch (message.getString("format")) {
            case "octavo":
                format = "8vo";
                break;
            case "quarto":
                format = "4to";
                break;
            default:
                format = "folio";
        }
        String[] command = {"/bin/sh", "-c", "guillotine --format " + format + " 2>&1 | logger -t bindery"};
        Runtime.getRuntime().exec(command).waitFor();
    }

    @JmsListener(destination = "bindery.leather")
    public void leather(MapMessage message) throws JMSException, SQLException {
        try (Connection connection = dataSource.getConnection();
             PreparedStatement statement = connection.prepareStatement(
                 "UPDATE hides SET reserved_for = ? WHERE tannery = ? AND reserved_for IS NULL")) {
            statement.setString(1, message.getString("order"));
            statement.setString(2, message.getString("tannery"));
            statement.executeUpdate();
        }
    }

    @JmsListener(destination = "bindery.finish")
    public void finish(MapMessage message) throws JMSException, SQLException {
        String order = message.getString("order");
        String remark = message.getString("remark");
        if (remark == null) {
            remark = "";
        }
        try (Connection connection = dataSource.getConnection();
             Statement statement = connection.createStatement()) {
            statement.addBatch("UPDATE orders SET remark = '" + remark.replace("\"", "\"\"") + "' WHERE number = '" + order + "'");
            statement.addBatch("UPDATE counters SET finished = finished + 1");
            statement.executeBatch();
        }
    }
}
