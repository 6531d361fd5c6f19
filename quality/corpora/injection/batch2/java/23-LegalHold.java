package legal;

import java.sql.*;
import java.util.UUID;
import javax.jms.*;
import javax.ejb.MessageDriven;
import javax.annotation.Resource;
import javax.sql.DataSource;

@MessageDriven(mappedName = "jms/holds")
public class LegalHold implements MessageListener {

    @Resource
    private DataSource ds;

    private boolean wellFormed(String ref) {
        if (ref == null) {
            return false;
        }
        for (int i = 0; i < ref.length(); i++) {
            if (!Character.isLetterOrDigit(ref.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void onMessage(Message message) {
        try (java.sql.Connection c = ds.getConnection(); Statement s = c.createStatement()) {
            String ref = message.getStringProperty("ref");
            if (!wellFormed(ref)) {
                return;
            }
            s.executeUpdate("UPDATE document SET hold = 1 WHERE ref = '" + ref + "'");
            String reason = ((TextMessage) message).getText();
            if (reason == null || reason.isEmpty()) {
                return;
            }
            s.executeUpdate("INSERT INTO hold(id, reason) VALUES ('" + UUID.randomUUID() + "', '" + reason + "')");
        } catch (SQLException | JMSException e) {
            throw new IllegalStateException(e);
        }
    }
}
