using System;
using System.Linq;
using Dapper;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Data.Sqlite;

var app = WebApplication.Create(args);

static int Parse(string raw)
{
    if (!int.TryParse(raw, out var id))
        throw new UnknownTariff(raw);
    return id;
}

app.MapGet("/tariff/{reference}", (string reference) =>
{
    using var con = new SqliteConnection("Data Source=/var/lib/tariff.db");
    try
    {
        var id = Parse(reference);
        return Results.Ok(con.Query("SELECT * FROM tariff WHERE id = " + id).ToList());
    }
    catch (UnknownTariff e)
    {
        return Results.Ok(con.Query("SELECT * FROM tariff WHERE code = '" + e.Code + "'").ToList());
    }
});

app.Run();

class UnknownTariff : Exception
{
    public UnknownTariff(string code) : base("unknown tariff") => Code = code;

    public string Code { get; }
}
