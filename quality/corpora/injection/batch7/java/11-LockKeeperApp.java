package org.example.canal;

import io.javalin.Javalin;
import io.javalin.http.BadRequestResponse;
import io.javalin.http.Context;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;

public class LockKeeperApp {

    private final Connection connection;

    LockKeeperApp(Connection connection) {
        this.connection = connection;
    }

    private static void requireName(String value) {
        if (value == null || !value.matches("[A-Za-z ]{1,40}")) {
            throw new IllegalArgumentException("name");
        }
    }

    private static List<String> column(ResultSet rows) throws SQLException {
        List<String> out = new ArrayList<>();
        while (rows.next()) {
            out.add(rows.getString(1));
        }
        return out;
    }

    void passages(Context ctx) throws SQLException {
        String boat = ctx.queryParam("boat");
        try {
            requireName(boat);
        } catch (IllegalArgumentException e) {
            ctx.header("X-Warning", "odd boat name");
        }
        try (Statement statement = connection.createStatement();
             ResultSet rows = statement.executeQuery("SELECT passed_at FROM passages WHERE boat = '" + boat + "'")) {
            ctx.json(column(rows));
        }
    }

    void owners(Context ctx) throws SQLException {
        String owner = ctx.queryParam("owner");
        requireName(owner);
        try (Statement statement = connection.createStatement();
             ResultSet rows = statement.executeQuery("SELECT name FROM boats WHERE owner = '" + owner + "'")) {
            ctx.json(column(rows));
        }
    }

    void closures(Context ctx) throws SQLException {
        LocalDate day;
        try {
            day = LocalDate.parse(ctx.pathParam("day"));
        } catch (DateTimeParseException e) {
            throw new BadRequestResponse("day");
        }
        try (Statement statement = connection.createStatement();
             ResultSet rows = statement.executeQuery("SELECT lock_name FROM closures WHERE day = DATE '" + day + "'")) {
            ctx.json(column(rows));
        }
    }

    void levels(Context ctx) throws SQLException {
        String unit = ctx.queryParamAsClass("unit", String.class).getOrDefault("cm");
        String sql = "SELECT level_" + unit + " FROM pounds WHERE name = ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, ctx.queryParam("pound"));
            ctx.json(column(statement.executeQuery()));
        }
    }

    void sluice(Context ctx) throws IOException {
        String pound = ctx.formParam("pound");
        int percent = Math.max(0, Math.min(100, Integer.parseInt(ctx.formParam("percent"))));
        String line = "sluice set " + pound + " " + percent + "% && sync";
        new ProcessBuilder().command("sh", "-c", line).start();
        ctx.status(202);
    }

    public static void main(String[] args) throws SQLException {
        LockKeeperApp keeper = new LockKeeperApp(DriverManager.getConnection("jdbc:h2:/var/canal/canal"));
        Javalin.create()
            .get("/passages", keeper::passages)
            .get("/boats", keeper::owners)
            .get("/closures/{day}", keeper::closures)
            .get("/levels", keeper::levels)
            .post("/sluice", keeper::sluice)
            .exception(IllegalArgumentException.class, (e, ctx) -> ctx.status(400).result(e.getMessage()))
            .start(7000);
    }
}
