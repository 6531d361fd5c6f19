using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();

app.MapGet("/contracts", (string name) =>
{
    var contract = new Contract("2024", name);
    return Results.Bytes(contract.Read(), "application/pdf");
});

app.MapDelete("/contracts/{number:int}", (int number) =>
{
    File.Delete(Path.Combine(Contract.Root, number + ".pdf"));
    return Results.NoContent();
});

app.MapGet("/contracts/cover", () => Results.Bytes(new Contract("2024", "x").Cover()));

app.Run();

sealed class Contract
{
    public const string Root = "/srv/contracts";
    private readonly string _file;
    private readonly string _year;

    public Contract(string year, string name)
    {
        _year = year;
        _file = Path.Combine(Root, year, name);
    }

    public byte[] Read() => File.ReadAllBytes(_file);

    public byte[] Cover() => File.ReadAllBytes(Path.Combine(Root, _year, "cover.pdf"));
}
