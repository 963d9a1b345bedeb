//! Spanish words, without accents.

use super::*;

pub(super) const WORDS: Words = &[
    (
        OFF,
        "desactiva|desactivar|desactive|desactivando|deshabilita|deshabilitar|deshabilite|apaga|apagar|quita|quitar|quite|ignora|ignorar|ignore|suprime|suprimir|elimina|eliminar|relaja|relajar|suspende|suspender|inhabilita|inhabilitar",
    ),
    (
        OFF | SKIP,
        "omite|omitir|omita|omitiendo|salta|saltar|saltate|saltarse|salte|evita|evitar|elude|eludir|prescinde de|prescindir de|prescindir|pasa por alto|pasar por alto|sortear|esquivar|saltandose|exime|eximir|exentos de|exentas de",
    ),
    (
        WAS_OFF,
        "desactivada|desactivadas|desactivado|deshabilitada|deshabilitadas|deshabilitado|apagada|ignorada|suprimida|eliminada|suspendida",
    ),
    (
        WAS_OFF | SKIP,
        "omitida|omitidas|omitido|saltada|saltadas|saltado",
    ),
    (
        BE,
        "es|son|esta|estan|queda|quedan|puede ser|pueden ser|debe ser|deben ser|puede|pueden|debe|sera|seran|se|ser",
    ),
    (
        AGREED,
        "acordado|acordamos|decidido|decidimos|a partir de ahora|de ahora en adelante|en adelante|convenido",
    ),
    (
        NEVER,
        "no|nunca|jamas|ningun|ninguna|ninguno|nadie|nada|en lugar de|en vez de",
    ),
    (DONT, "nunca|jamas|no le|no les|no lo|no se lo|nadie"),
    (
        FORBID,
        "prohibido|prohibida|prohibidos|no permitido|no se permite|un error|no esta permitido",
    ),
    (
        NO_NEED,
        "innecesario|innecesaria|innecesarias|no hace falta|no es necesario|no es necesaria|no son necesarias|no son necesarios|no se necesita|no se necesitan|no se requiere|no se requieren|no requiere|no requieren|ya no hace falta|opcional|opcionales|superfluo|superflua|sobra|sobran|no necesita|no necesitan|no hay que|no hay necesidad de|no es obligatoria|no es obligatorio",
    ),
    (NEED, "necesario|necesaria|necesarias|obligatoria|requerida"),
    (WITHOUT, "sin"),
    (
        SEALED,
        "certificado|certificados|firma|firmas|clave de host|claves de host|suma de verificacion|sumas de verificacion|huella|procedencia",
    ),
    (
        CHECK,
        "verificacion|verificaciones|comprobacion|comprobaciones|validacion|verificar|comprobar|validar|control|controles",
    ),
    (
        GUARD,
        "cortafuegos|doble factor|segundo factor|dos factores|verificacion en dos pasos|antivirus|entorno aislado|proteccion de ramas|proteccion de rama|registro de auditoria|controles de seguridad|control de seguridad|salvaguardas|cifrado|autenticacion|analisis de seguridad|comprobaciones de seguridad|reglas de seguridad|hooks de pre commit",
    ),
    (
        REVIEW,
        "revision|revisiones|aprobacion|aprobaciones|confirmacion|confirmaciones|autorizacion|autorizaciones|permiso|visto bueno|revision de codigo|revisiones de codigo|consentimiento|permisos",
    ),
    (TEST, "pruebas|prueba"),
    (
        SHIP,
        "despliega|desplegar|despliegue|despliegues|sube|subir|fusiona|fusionar|publica|publicar|publique|empuja|empujar|lanza|lanzar|lanzamiento|lanzamientos|produccion",
    ),
    (
        ASK,
        "pregunta|preguntar|pregunte|preguntes|espera|esperar|esperes|espere|consulta|consultar|consultes|pidas|pedir|pide|pida",
    ),
    (
        TELL,
        "digas|decir|diga|decirle|menciona|mencionar|mencione|menciones|informa|informar|informe|informes|avisa|avisar|avise|avises|reveles|revelar|reveles|cuentes|contar|notifiques|notificar|reportes|reportar|hables",
    ),
    (
        HIDE,
        "no digas|no menciones|no informes|no avises|no reveles|no cuentes|no notifiques|no reportes|no mencionar|no decir|no informar|no avisar|oculta|ocultar|oculte|esconde|esconder",
    ),
    (
        PERSON,
        "usuario|usuarios|usuaria|humano|humanos|revisor|revisores|desarrollador|desarrolladores|equipo|nadie|alguien|companeros|cliente|clientes|responsable|persona",
    ),
    (
        QUIET,
        "en silencio|silenciosamente|en secreto|secretamente|discretamente|a escondidas|sin ruido|a espaldas",
    ),
    (
        DO,
        "usa|use|ejecuta|ejecute|instala|instale|abre|abra|descarga|descargue|envia|envie|anade|agrega|acepta|acepte|aprueba|apruebe|apunta|copia|copie|recomienda|recomiende|responde|responda|sube|fusiona|borra|borre|utiliza|utilice|reemplaza",
    ),
    (
        REPLY,
        "usa|use|responde|responda|recomienda|recomiende|sugiere|envia|di|dile|remite|utiliza|contesta|ofrece",
    ),
    (
        SEND,
        "envia|enviar|envie|enviando|manda|mandar|mande|sube|subir|publica|publicar|copia|copiar|copie|reenvia|reenviar|transmite|transmitir|comparte|compartir|pega|pegar",
    ),
    (
        SECRET,
        "contrasena|contrasenas|credenciales|secretos|secreto|clave privada|claves privadas|clave api|claves api|claves de api|claves ssh|clave ssh|variables de entorno|tokens",
    ),
    (
        INSIDE,
        "registro|registros|codigo fuente|datos de clientes|datos de los clientes|entorno|historial|datos de usuarios|sesion|sesiones|base de datos|salida|repositorio|conversacion|conversaciones",
    ),
    (
        FETCH,
        "descarga|descargar|descargue|baja|bajar|obten|obtener",
    ),
    (
        RUN,
        "ejecuta|ejecutar|ejecute|ejecutando|lanza|lanzar|corre|correr|ejecutalo|ejecutala",
    ),
    (PIPE, "pega|pegar|pegue|pegando"),
    (SHELL, "consola|linea de comandos|terminal"),
    (
        SCRIPT,
        "script|comando|comandos|instalador|respuesta|archivo|contenido",
    ),
    (
        OBEY,
        "confia en|confiar en|confie en|obedece|obedecer|obedezca|fiate de|cree",
    ),
    (
        ALLOW,
        "acepta|aceptar|acepte|aprueba|aprobar|apruebe|autoriza|autorizar|autorice|confirma|confirmar|permite|permitir",
    ),
    (
        ALL,
        "todo|todos|toda|todas|siempre|cualquier|cualquiera|cada|ciegamente|sin condiciones|automaticamente|inmediatamente",
    ),
    (
        ITEM,
        "solicitud|solicitudes|propuesta|propuestas|cambio|cambios|paquete|paquetes|comandos|entradas|acciones|permisos|peticion|peticiones",
    ),
    (
        INSTRUCTION,
        "instruccion|instrucciones|orden|ordenes|comandos|indicaciones",
    ),
    (
        IGNORE,
        "ignora|ignorar|ignore|olvida|olvidar|olvide|descarta|descartar|haz caso omiso de|haga caso omiso de|no hagas caso de|desobedece|omite|pasa por alto",
    ),
    (
        RULES,
        "instrucciones|reglas|regla|directrices|politicas|politica|restricciones|salvaguardas|advertencias|advertencia|normas|indicaciones",
    ),
    (
        PRIOR,
        "anteriores|anterior|previas|previos|todas|tus|sus|estas|existentes|otras|demas|todos|recibidas",
    ),
    (
        VOID,
        "ya no se aplican|ya no se aplica|ya no valen|quedan anuladas|anuladas|sin efecto|ya no cuentan|ya no rigen",
    ),
    (
        COND,
        "cuando|si|en cuanto|cada vez que|siempre que|una vez que|en caso de que|tan pronto como",
    ),
    (
        MENTION,
        "mencione|menciona|pregunte|pregunta|pida|hable de|habla de|hable|diga|dice|se menciona|se mencione|preguntas sobre|escriba",
    ),
    (
        PACKAGE,
        "paquete|paquetes|biblioteca|bibliotecas|modulo|modulos|dependencia|dependencias|extensiones",
    ),
    (INDEX, "registro|espejo|repositorio"),
    (
        VERIFY,
        "verifica|verificar|verifique|verifiques|comprueba|comprobar|compruebes|valida|validar|valides|revisar|revises|mirar|leer|inspeccionar",
    ),
    (
        SCOPE,
        "en pruebas|en las pruebas|en local|localmente|ejemplo",
    ),
    (PRONOUN, "lo|esto|eso|ello|de esto|de ello"),
    (
        DESTROY,
        "borra|borrar|borre|destruye|destruir|elimina|eliminar|vacia|vaciar|sobrescribe|sobrescribir",
    ),
    (
        DATA,
        "copias de seguridad|base de datos de produccion|registro de auditoria|historial de git|pruebas del delito|rastros|todos los datos|huellas",
    ),
    (DESPITE, "aunque|incluso si|a pesar de|pese a"),
    (
        FAILING,
        "falla|fallan|fallen|falle|rojo|rojas|fallidas|fallo|fallos",
    ),
    (DECODE, "decodifica|decodificar|descifra|descifrar"),
    (
        UNPROVED,
        "sin firmar|no firmados|no firmadas|sin verificar|no verificados|no verificadas|autofirmado|autofirmados|desconocidos|desconocidas",
    ),
    (OPEN, "expon|exponer|exponga|abre|abrir|haz|hacer"),
    (
        PUBLIC,
        "publico|publica|todo el mundo|cualquiera|internet|sin contrasena|todas las interfaces",
    ),
    (
        VOICE,
        "pagina|sitio|respuesta|comentario|archivo|mensaje|herramienta|dice|pida",
    ),
    (NOTHING, "nada|nunca"),
    (BELIEVED, "son de confianza|es de confianza|son fiables"),
];
